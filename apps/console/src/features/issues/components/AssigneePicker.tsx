import { type Issue, type IssueChange } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'

import { membersQuery, teamsQuery } from '../../../lib/organization-queries.ts'
import { sessionQuery } from '../../../lib/shared-queries.ts'
import { Avatar, Picker, type PickerOption } from '../../../ui/index.ts'

const NOBODY = 'nobody'

export interface AssigneePickerProps {
  readonly org: string
  /** Null for nobody; undefined when several issues may have different ones. */
  readonly assignedTo: Issue['assignedTo'] | undefined
  readonly onAssign: (change: Pick<IssueChange, 'assignedTo'>, name: string | null) => void
  readonly trigger?: ReactElement<Record<string, unknown>>
  readonly anchor?: Element | null
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'center' | 'end'
}

/** Who looks after it: nobody, me, then other people, then teams. */
export function AssigneePicker({ org, assignedTo, onAssign, ...place }: AssigneePickerProps) {
  const options = useAssignees(org)
  return (
    <Picker
      {...place}
      label="Assign to"
      emptyText="Nobody has that name."
      options={options}
      value={assignedTo === undefined ? null : assignedTo === null ? NOBODY : `${assignedTo.type}:${assignedTo.id}`}
      onPick={(value) => {
        const name = options.find((option) => option.value === value)?.label ?? ''
        onAssign({ assignedTo: value === NOBODY ? '' : value }, value === NOBODY ? null : name)
      }}
    />
  )
}

/** The same beside any element, open as long as there is one: for lists, where a key opens it, too. */
export function AssigneePickerAt({
  anchor,
  inBulkBar,
  onClose,
  ...picker
}: Pick<AssigneePickerProps, 'org' | 'assignedTo' | 'onAssign'> & {
  readonly anchor: Element | null
  /** It is for the selected rows and opens above their bar. */
  readonly inBulkBar: boolean
  readonly onClose: () => void
}) {
  return (
    <AssigneePicker
      {...picker}
      anchor={anchor}
      open={anchor !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      side={inBulkBar ? 'top' : 'bottom'}
      align={inBulkBar ? 'center' : 'end'}
    />
  )
}

function useAssignees(org: string): readonly PickerOption[] {
  const { data: session } = useQuery(sessionQuery)
  const { data: members = [] } = useQuery(membersQuery(org))
  const { data: teams = [] } = useQuery(teamsQuery(org))
  const me = session?.user?.id
  const people = members
    .flatMap((member) =>
      member.user === null ? [] : [{ id: member.user.id, name: member.name || member.email, email: member.email }],
    )
    .toSorted((a, b) => Number(b.id === me) - Number(a.id === me) || a.name.localeCompare(b.name))
  return [
    { value: NOBODY, label: 'Nobody', mark: <Avatar name={null} /> },
    ...people.map((person) => ({
      value: `user:${person.id}`,
      label: person.id === me ? `${person.name} (me)` : person.name,
      ...(person.name === person.email ? {} : { hint: person.email }),
      mark: <Avatar name={person.name} />,
    })),
    ...teams.map((team) => ({
      value: `team:${team.id}`,
      label: `#${team.slug}`,
      hint: 'team',
      mark: <Avatar name={team.slug} />,
    })),
  ]
}
