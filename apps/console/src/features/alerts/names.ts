import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { membersQuery, teamsQuery } from '../../lib/organization-queries.ts'
import { useProjectNames } from '../../lib/shared-queries.ts'
import { channelsQuery } from './channels-query.ts'
import type { Names } from './model/sentence.ts'

/** What projects, channels, teams and members are called; something that is gone says so. */
export function useNames(org: string): Names {
  const projects = useProjectNames(org)
  const { data: channels } = useQuery(channelsQuery(org))
  const { data: teams } = useQuery(teamsQuery(org))
  const { data: members } = useQuery(membersQuery(org))
  return useMemo(() => {
    const nameIn =
      (known: readonly { readonly id: string; readonly name: string }[] | undefined, gone: string) => (id: string) =>
        known === undefined ? '…' : (known.find((one) => one.id === id)?.name ?? gone)
    const people = members?.flatMap(({ user }) =>
      user === null ? [] : [{ id: user.id, name: user.name === '' ? user.email : user.name }],
    )
    return {
      project: (id) => projects.get(id) ?? 'a deleted project',
      channel: nameIn(channels, 'a deleted channel'),
      team: nameIn(teams, 'a deleted team'),
      member: nameIn(people, 'somebody who left'),
    }
  }, [projects, channels, teams, members])
}
