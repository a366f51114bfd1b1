import type { Codeowners, Ownership } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import { ErrorState, Panel, Switch, toast } from '../../../ui/index.ts'
import { FormOutline } from '../../settings/index.ts'
import { codeownersQuery, ownershipQuery, saveOwnership } from '../queries.ts'
import { CodeownersPanel } from './CodeownersPanel.tsx'
import { RulesPanel } from './RulesPanel.tsx'
import { TesterPanel } from './TesterPanel.tsx'
import styles from './ProjectOwnership.module.css'

/** Whose what is in a project. */
export function ProjectOwnership({ org, project, mayWrite }: ProjectSettingsProps) {
  const rules = useQuery(ownershipQuery(org, project.slug))
  const file = useQuery(codeownersQuery(org, project.slug))
  const error = rules.error ?? file.error
  if (error !== null) {
    return (
      <ErrorState
        title="The ownership could not be loaded"
        {...describeError(error)}
        onRetry={() => {
          void rules.refetch()
          void file.refetch()
        }}
      />
    )
  }
  if (rules.data === undefined || file.data === undefined) return <FormOutline label="Loading the ownership" />
  return <Parts org={org} project={project.slug} ownership={rules.data} file={file.data} mayWrite={mayWrite} />
}

interface PartsProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly ownership: Ownership
  readonly file: Codeowners | null
  readonly mayWrite: boolean
}

function Parts({ org, project, ownership, file, mayWrite }: PartsProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(ownership.raw ?? '')
  const change = async (wanted: { readonly autoAssignment?: boolean; readonly walk?: Ownership['walk'] }) => {
    const { autoAssignment, walk } = wanted
    try {
      const saved = await saveOwnership(org, project, {
        ...(walk === undefined ? {} : { walk }),
        ...(autoAssignment === undefined
          ? {}
          : { autoAssignment: autoAssignment ? 'Auto Assign to Issue Owner' : 'Turn off Auto-Assignment' }),
      })
      showSaved(client, ownershipQuery(org, project).queryKey, saved)
    } catch (error) {
      toast({ title: 'The setting could not be saved', description: describeError(error).detail, tone: 'error' })
    }
  }
  return (
    <>
      <RulesPanel
        org={org}
        project={project}
        ownership={ownership}
        draft={draft}
        mayWrite={mayWrite}
        onDraft={setDraft}
      />
      <TesterPanel org={org} project={project} draft={draft} />
      <CodeownersPanel org={org} project={project} file={file} mayWrite={mayWrite} />
      <Panel title="What follows from it">
        <div className={styles.switches}>
          <Switch
            label="Assign new issues"
            help="To the first owner of the line that decides. What somebody assigned by hand stays as it is."
            disabled={!mayWrite}
            checked={ownership.autoAssignment === 'Auto Assign to Issue Owner'}
            onCheckedChange={(autoAssignment) => void change({ autoAssignment })}
          />
          <Switch
            label="Decide as Sentry does"
            help="The last line that matches any frame decides, instead of the frame nearest to the crash that somebody owns."
            disabled={!mayWrite}
            checked={ownership.walk === 'sentry'}
            onCheckedChange={(isSentry) => void change({ walk: isSentry ? 'sentry' : 'frames' })}
          />
        </div>
      </Panel>
    </>
  )
}
