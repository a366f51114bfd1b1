import type { AlertDraft } from '@firsthand/contract'
import { Fragment, type ReactElement } from 'react'

import { Popover } from '../../../ui/index.ts'
import { withSilence } from '../model/draft.ts'
import { closedParts, type Names, type Part, sentenceOf, type VariableId } from '../model/sentence.ts'
import { EnvironmentsVariable, GroupsVariable, ProjectsVariable, ReceiversVariable } from './ListVariables.tsx'
import { QueryField } from './QueryField.tsx'
import { AgeFields, FrequencyFields, HourFields } from './ThenFields.tsx'
import { Variable } from './Variable.tsx'
import { KindFields, LeastFields, LimitFields, RecoveryFields, SilenceFields, WindowFields } from './WhenFields.tsx'
import styles from './Sentence.module.css'

interface Props {
  readonly org: string
  readonly draft: AlertDraft
  readonly names: Names
  readonly onChange: (part: Partial<AlertDraft>) => void
  /** What the server says of the search. */
  readonly refusal: string | undefined
  readonly mayWrite: boolean
}

/** The alert as a sentence: each underlined word opens what it can be, the search is typed where it stands. */
export function Sentence({ org, draft, names, onChange, refusal, mayWrite }: Props) {
  const parts = closedParts(sentenceOf(draft, names, mayWrite || draft.query !== ''))
  return (
    <div className={styles.sentence} role="group" aria-label="What it watches">
      {parts.map(({ part, close }, place) =>
        part.kind === 'query' ? (
          <Fragment key="query">
            <QueryField
              org={org}
              draft={draft}
              refusal={refusal}
              mayWrite={mayWrite}
              onSearch={(query) => onChange({ query })}
            />
            {close}
          </Fragment>
        ) : part.kind === 'text' || !mayWrite ? (
          <Fragment key={`${place}`}>
            <span className={part.kind === 'text' ? undefined : styles.fixed}>{part.text}</span>
            {close}
          </Fragment>
        ) : (
          <Editable key={part.id} part={part} close={close} org={org} draft={draft} names={names} onChange={onChange} />
        ),
      )}
    </div>
  )
}

const NAMES: Readonly<Record<VariableId, string>> = {
  kinds: 'What happens',
  limit: 'Limit',
  window: 'Time',
  least: 'How many',
  groups: 'Groups',
  silence: 'Silence',
  environments: 'Environments',
  projects: 'Projects',
  age: 'Age',
  receivers: 'Receivers',
  hours: 'Hours',
  frequency: 'How often',
  recovery: 'All clear',
}

function Editable({
  part: { id, text },
  close,
  org,
  draft,
  names,
  onChange,
}: Pick<Props, 'draft' | 'names' | 'onChange' | 'org'> & {
  readonly part: Extract<Part, { kind: 'variable' }>
  readonly close: string
}) {
  const trigger = <Variable name={NAMES[id]} text={text} close={close} />
  const list = { org, draft, names, onChange, trigger }
  if (id === 'environments') return <EnvironmentsVariable {...list} />
  if (id === 'projects') return <ProjectsVariable {...list} />
  if (id === 'receivers') return <ReceiversVariable {...list} />
  if (id === 'groups') return <GroupsVariable {...list} />
  return (
    <Popover label={NAMES[id]} trigger={trigger}>
      {fieldsOf(id, draft, onChange)}
    </Popover>
  )
}

/** What is in the popover of a variable. */
function fieldsOf(id: VariableId, draft: AlertDraft, onChange: Props['onChange']): ReactElement | null {
  const { trigger } = draft
  const put = (next: AlertDraft['trigger']) => onChange({ trigger: next })
  if (id === 'hours') return <HourFields draft={draft} onChange={onChange} />
  if (id === 'frequency') return <FrequencyFields draft={draft} onChange={onChange} />
  if (id === 'age') return <AgeFields draft={draft} onChange={onChange} />
  if (trigger.source === 'happened') return <KindFields trigger={trigger} onChange={put} />
  if (trigger.source === 'silence')
    return <SilenceFields trigger={trigger} onChange={(next) => onChange(withSilence(draft, next))} />
  if (id === 'least') return <LeastFields trigger={trigger} onChange={put} />
  if (id === 'window') return <WindowFields trigger={trigger} onChange={put} />
  return id === 'recovery' ? (
    <RecoveryFields trigger={trigger} onChange={put} />
  ) : (
    <LimitFields trigger={trigger} onChange={put} />
  )
}
