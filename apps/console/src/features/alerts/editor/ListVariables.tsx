import { ALERT_MAX_ACTIONS, type AlertDraft } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'

import { projectsQuery } from '../../../lib/shared-queries.ts'
import { MultiPicker } from '../../../ui/index.ts'
import { datasetOf, offeredAttributes } from '../../explore/model/index.ts'
import { environmentsQuery } from '../../issues/index.ts'
import { useAttributes } from '../../search/attributes/index.ts'
import { MAX_GROUPS } from '../model/alerts-search.ts'
import { keyOfAction, withReceivers } from '../model/receivers.ts'
import { type Names, receiverText } from '../model/sentence.ts'
import { groupsOf, isUnexplored } from '../model/table-attributes.ts'
import { useReceivers } from '../receivers.ts'

/** Variables that are some of many: chosen from a list that is searched by typing. */

export interface ListVariableProps {
  readonly org: string
  readonly draft: AlertDraft
  readonly names: Names
  readonly onChange: (part: Partial<AlertDraft>) => void
  readonly trigger: ReactElement<Record<string, unknown>>
}

export function ProjectsVariable({ org, draft, onChange, trigger }: ListVariableProps) {
  const { data: projects = [] } = useQuery(projectsQuery(org))
  return (
    <MultiPicker
      label="Projects; none chosen is every one"
      emptyText="No project has that name."
      options={projects.map((project) => ({ value: project.id, label: project.name, hint: project.slug }))}
      values={draft.projects ?? []}
      onValuesChange={(values) => onChange({ projects: values.length === 0 ? null : [...values] })}
      trigger={trigger}
    />
  )
}

export function EnvironmentsVariable({ org, draft, onChange, trigger }: ListVariableProps) {
  const { data: environments = [] } = useQuery(environmentsQuery(org, draft.projects ?? []))
  return (
    <MultiPicker
      label="Environments; none chosen is any"
      emptyText="No environment has that name."
      options={environments.map(({ name }) => ({ value: name, label: name }))}
      values={draft.environments}
      onValuesChange={(values) => onChange({ environments: [...values] })}
      trigger={trigger}
    />
  )
}

const NO_TAGS: readonly string[] = []

/** Each of its values is watched by itself. */
export function GroupsVariable({ org, draft, onChange, trigger: button }: ListVariableProps) {
  const { trigger } = draft
  const name = trigger.source === 'happened' ? 'errors' : trigger.dataset
  const sent = useAttributes({ org, project: draft.projects ?? [] }, name, name !== 'errors' && name !== 'sessions')
  if (trigger.source === 'happened') return null
  const rows = isUnexplored(name) ? { attributes: groupsOf(name) } : datasetOf(name)
  const offered = offeredAttributes(rows, sent, NO_TAGS)
  return (
    <MultiPicker
      label="For each; none chosen is all together"
      emptyText="No attribute has that name."
      options={offered.map(({ key, label, hint }) => ({ value: key, label: label ?? key, hint }))}
      values={trigger.groupBy}
      onValuesChange={(values) => onChange({ trigger: { ...trigger, groupBy: values.slice(0, MAX_GROUPS) } })}
      trigger={button}
    />
  )
}

/** Who is told. */
export function ReceiversVariable({ org, draft, names, onChange, trigger }: ListVariableProps) {
  const options = useReceivers(org)
  const chosen = draft.actions.map(keyOfAction)
  // Somebody who left, or a channel that was deleted, can still be taken out.
  const gone = draft.actions
    .filter((action) => options.every(({ value }) => value !== keyOfAction(action)))
    .map((action) => ({ value: keyOfAction(action), label: receiverText(action, names) }))
  return (
    <MultiPicker
      label="Who is told"
      emptyText="No channel, team or member has that name."
      options={[...options, ...gone]}
      values={chosen}
      onValuesChange={(values) =>
        onChange({ actions: withReceivers(draft.actions, values.slice(0, ALERT_MAX_ACTIONS)) })
      }
      trigger={trigger}
    />
  )
}
