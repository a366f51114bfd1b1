import { PEOPLE_FOUND, type FoundPerson } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { plainVisible } from '../../../lib/visible-text.ts'
import { Avatar, EmptyState, Input, Link, RelativeTime, SearchIcon, UsersIcon } from '../../../ui/index.ts'
import { exactNames } from '../model/exact-names.ts'
import { Erasures } from '../erasure/Erasures.tsx'
import { foundPeopleQuery } from '../queries.ts'
import styles from './PeopleFinder.module.css'

/** Nobody's page: a way to somebody's. */
export function PeopleFinder({ org }: { readonly org: string }) {
  const [text, setText] = useState('')
  const wanted = text.trim()
  const { data, isFetching } = useQuery({ ...foundPeopleQuery(org, wanted), enabled: wanted !== '' })
  const found = wanted === '' ? [] : (data ?? [])
  const others = exactNames(wanted).filter((name) => found.every(({ user }) => user !== name))
  return (
    <EmptyState page icon={UsersIcon} title="Whose page?">
      <p>
        People are found by a part of their id, name or e-mail address, as events and reports of the last 30 days have
        it. By a whole name you open the page of whoever has it, whenever they were seen.
      </p>
      <div className={styles.search}>
        <Input
          autoFocus
          icon={SearchIcon}
          aria-label="Find a person"
          placeholder="Id, name or e-mail address"
          value={text}
          onValueChange={setText}
        />
      </div>
      {found.length === 0 ? (
        <p role="status">
          {wanted !== '' && data !== undefined && !isFetching ? 'Nobody has this in their name.' : ''}
        </p>
      ) : (
        <ul className={styles.found} aria-label="People found">
          {found.map((person) => (
            <li key={person.user}>
              <Avatar name={person.name || person.email || person.user} />
              <Link look="plain" to="/organizations/$org/people" params={{ org }} search={{ user: person.user }}>
                {plainVisible(person.name || person.email || person.user)}
              </Link>
              <span className={styles.hint}>{plainVisible(hintOf(person, found))}</span>
              <RelativeTime time={person.lastSeen} />
            </li>
          ))}
        </ul>
      )}
      {found.length < PEOPLE_FOUND ? null : (
        <p role="status">These are the {PEOPLE_FOUND} seen last. Write more of the name to find others.</p>
      )}
      {others.length === 0 ? null : (
        <ul className={styles.found} aria-label="Pages of exactly this name">
          {others.map((user) => (
            <li key={user}>
              <Link to="/organizations/$org/people" params={{ org }} search={{ user }}>
                Open the page of {plainVisible(user)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Erasures org={org} />
    </EmptyState>
  )
}

/** Of people with the same name and address, also by what they are told apart. */
const hintOf = ({ email, name, user }: FoundPerson, all: readonly FoundPerson[]): string => {
  if (name === '') return user
  const isAlone = all.filter((other) => other.name === name && other.email === email).length === 1
  return isAlone || email === '' ? email || user : `${user}, ${email}`
}
