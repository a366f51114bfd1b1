import type { FindingSettings, FindingTrial } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import { Button, ErrorState, toast } from '../../../ui/index.ts'
import { FormOutline } from '../../settings/index.ts'
import { type Draft, draftOf, hasErrors, isChanged, wantedOf } from '../model/draft.ts'
import { saveSettings, settingsKey, settingsQuery, trySettings } from '../queries.ts'
import { MutesPanel } from './MutesPanel.tsx'
import { RulesPanel } from './RulesPanel.tsx'
import { TrialPanel } from './TrialPanel.tsx'
import styles from './ProjectFindings.module.css'

/** Which problems are looked for in the spans of a project, and from which thresholds on. */
export function ProjectFindings({ org, project, mayWrite }: ProjectSettingsProps) {
  const { data, error, refetch } = useQuery(settingsQuery(org, project.slug))
  if (error !== null) {
    return (
      <ErrorState
        title="The settings of findings could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  return data === undefined ? (
    <FormOutline label="Loading the settings of findings" />
  ) : (
    <Form org={org} project={project.slug} settings={data} mayWrite={mayWrite} />
  )
}

interface FormProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly settings: FindingSettings
  readonly mayWrite: boolean
}

function Form({ org, project, settings, mayWrite }: FormProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState<Draft>(() => draftOf(settings))
  const [trial, setTrial] = useState<FindingTrial | null>(null)
  const [busy, setBusy] = useState<'save' | 'try' | null>(null)
  const change = (next: Draft): void => {
    setDraft(next)
    // What was tried was something else.
    setTrial(null)
  }
  const work = async (what: 'save' | 'try'): Promise<void> => {
    setBusy(what)
    try {
      if (what === 'try') setTrial(await trySettings(org, project, wantedOf(draft)))
      else {
        const saved = await saveSettings(org, project, wantedOf(draft))
        showSaved(client, settingsKey(org, project), saved)
        setDraft(draftOf(saved))
        toast({ title: 'Findings saved; they hold within a minute', tone: 'ok' })
      }
    } catch (error) {
      const title = what === 'try' ? 'The settings could not be tried' : 'The settings could not be saved'
      toast({ title, description: describeError(error).detail, tone: 'error' })
    } finally {
      setBusy(null)
    }
  }
  const isBroken = hasErrors(draft)
  const isDirty = isChanged(draft, settings)
  return (
    <>
      <RulesPanel draft={draft} mayWrite={mayWrite} onChange={change} />
      <MutesPanel draft={draft} mayWrite={mayWrite} onChange={change} />
      <TrialPanel org={org} trial={trial} settings={settings}>
        <Button busy={busy === 'try'} disabled={isBroken} onClick={() => void work('try')}>
          Try on the last 24 hours
        </Button>
      </TrialPanel>
      {mayWrite ? (
        <div className={styles.buttons}>
          <Button
            variant="primary"
            busy={busy === 'save'}
            disabled={isBroken || !isDirty}
            onClick={() => void work('save')}
          >
            Save
          </Button>
          <Button variant="ghost" disabled={!isDirty} onClick={() => change(draftOf(settings))}>
            Discard changes
          </Button>
        </div>
      ) : null}
    </>
  )
}
