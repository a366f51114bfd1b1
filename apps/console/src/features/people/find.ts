import type { Find } from '../../shell/feature.ts'
import { type Command, UserIcon } from '../../ui/index.ts'
import { plainVisible } from '../../lib/visible-text.ts'
import { findPersons } from './queries.ts'

/** Fewer letters are in nearly everybody's name. */
const FEWEST_LETTERS = 3

/** Beside all else that is found. */
const MOST = 5

/** People by a part of their id, name or e-mail address. */
export const find: Find = async (text, { org, navigate, signal }) => {
  if (text.trim().length < FEWEST_LETTERS) return []
  const people = await findPersons(org, text.trim(), signal)
  return people.slice(0, MOST).map((person): Command => ({
    id: `person-${person.user}`,
    label: plainVisible(person.name || person.email || person.user),
    hint: plainVisible(person.email === '' || person.name === '' ? person.user : person.email),
    group: 'People',
    icon: UserIcon,
    run: () => void navigate({ to: '/organizations/$org/people', params: { org }, search: { user: person.user } }),
  }))
}
