import type { AlertDraft } from '@firsthand/contract'

import { datasetOf, searchKeysOf } from '../../explore/model/index.ts'
import { completionsOf } from '../../search/attributes/index.ts'
import { SearchBar } from '../../search/index.ts'
import { ISSUE_KEYS } from '../../search/model/index.ts'
import type { AlertDatasetName } from '../model/quantities.ts'
import { ATTRIBUTES, isUnexplored } from '../model/table-attributes.ts'
import styles from './QueryField.module.css'

const COMPLETIONS = {
  spans: completionsOf('spans'),
  logs: completionsOf('logs'),
  tracemetrics: completionsOf('tracemetrics'),
  replays: completionsOf('replays'),
  sessions: completionsOf('sessions'),
  feedback: completionsOf('feedback'),
  check_ins: completionsOf('check_ins'),
}

const keysOf = (dataset: AlertDatasetName | null) =>
  dataset === null ? ISSUE_KEYS : isUnexplored(dataset) ? ATTRIBUTES[dataset] : searchKeysOf(datasetOf(dataset))

/** What the alert searches: of issues where something happens, of rows where they are counted. */
export function QueryField({
  org,
  draft,
  refusal,
  mayWrite,
  onSearch,
}: {
  readonly org: string
  readonly draft: AlertDraft
  readonly refusal: string | undefined
  readonly mayWrite: boolean
  readonly onSearch: (query: string) => void
}) {
  const { query, trigger } = draft
  if (!mayWrite) return <code className={styles.given}>{query}</code>
  const dataset = trigger.source === 'happened' ? null : trigger.dataset
  return (
    <span className={styles.field}>
      <SearchBar
        // What completes it is of another table.
        key={dataset ?? 'issues'}
        label="What it searches"
        hint={query === '' ? 'everything' : ''}
        value={query}
        onSearch={onSearch}
        keys={keysOf(dataset)}
        scope={{ org, project: draft.projects ?? [] }}
        refusal={refusal}
        {...(dataset !== null && dataset !== 'errors' && { completions: COMPLETIONS[dataset] })}
      />
    </span>
  )
}
