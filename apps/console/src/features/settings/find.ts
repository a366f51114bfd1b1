import { listTagValuesOfOrganization } from '@firsthand/contract'
import { formatFilter } from '@firsthand/search-syntax'
import { api } from '../../lib/api.ts'
import { holdsWords } from '../../lib/holds-words.ts'
import { membersQuery } from '../../lib/organization-queries.ts'
import type { Find } from '../../shell/feature.ts'
import { type Command, UserIcon } from '../../ui/index.ts'
import { plainVisible } from '../../lib/visible-text.ts'

const MOST_PEOPLE = 4
/** Asked for, so that those whose address begins with the text are among them. */
const PEOPLE_ASKED = 20
/** What people are known by. */
const NAMES = ['user.email', 'user.username']
const MOST_MEMBERS = 4
/** The list of members changes rarely; while one types it is not asked for again. */
const FRESH_MS = 60_000

/**
 * Members by name or e-mail, who lead to their issues; and people who met an issue, by the beginning of their e-mail or user
 * name or what stands in it, who lead to what they met. Any e-mail address does, too.
 */
export const find: Find = async (text, { org, navigate, client, access, signal }) => {
  const toIssues = (query: string) => () =>
    void navigate({ to: '/organizations/$org/issues', params: { org }, search: { query } })
  const wanted = text.toLowerCase()
  const [members, ...met] = await Promise.all([
    access.includes('member:read') ? client.fetchQuery({ ...membersQuery(org), staleTime: FRESH_MS }) : [],
    ...NAMES.map((key) =>
      api.call(listTagValuesOfOrganization, {
        params: { org, key },
        query: { query: text, limit: PEOPLE_ASKED },
        signal,
      }),
    ),
  ])
  const colleagues = members
    .filter(({ pending }) => !pending)
    .filter(({ name, email }) => holdsWords(`${name}\n${email}`, text))
    .slice(0, MOST_MEMBERS)
    .map(({ id, name, email }): Command => ({
      id: `member-${id}`,
      label: name || email,
      hint: 'issues assigned to them',
      group: 'People',
      icon: UserIcon,
      run: toIssues(formatFilter('assigned', email)),
    }))
  const person = (key: string, value: string): Command => ({
    id: `person-${key}-${value}`,
    label: plainVisible(value),
    hint: 'issues they ran into',
    group: 'People',
    icon: UserIcon,
    run: toIssues(formatFilter(key, value)),
  })
  const startsLikeIt = (value: string): boolean => value.toLowerCase().startsWith(wanted)
  const people = met
    .flat()
    .toSorted((a, b) => Number(startsLikeIt(b.value)) - Number(startsLikeIt(a.value)) || b.count - a.count)
    .slice(0, MOST_PEOPLE)
    .map(({ key, value }) => person(key, value))
  const isWritten = /^\S+@\S+$/.test(text) && !people.some(({ label }) => label.toLowerCase() === wanted)
  return [...colleagues, ...people, ...(isWritten ? [person('user.email', text)] : [])]
}
