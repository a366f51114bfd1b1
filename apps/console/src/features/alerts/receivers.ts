import { useQuery } from '@tanstack/react-query'

import { membersQuery, teamsQuery } from '../../lib/organization-queries.ts'
import type { PickerOption } from '../../ui/index.ts'
import { channelsQuery } from './channels-query.ts'

/** Everybody who can be told: owners, channels, teams, members. */
export function useReceivers(org: string): readonly PickerOption[] {
  const { data: channels = [] } = useQuery(channelsQuery(org))
  const { data: teams = [] } = useQuery(teamsQuery(org))
  const { data: members = [] } = useQuery(membersQuery(org))
  return [
    { value: 'owners', label: 'The owners', hint: 'whoever owns the code, or the issue is assigned to' },
    ...channels.map(({ id, name, kind }) => ({ value: `channel:${id}`, label: name, hint: kind })),
    ...teams.map(({ id, name, slug }) => ({ value: `team:${id}`, label: name, hint: `team #${slug}` })),
    ...members.flatMap(({ user }) =>
      user === null
        ? []
        : [{ value: `member:${user.id}`, label: user.name === '' ? user.email : user.name, hint: user.email }],
    ),
  ]
}
