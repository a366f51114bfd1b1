import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { membersQuery, teamsQuery } from '../../../lib/organization-queries.ts'
import {
  FilterButton,
  FilterSheet,
  filterText,
  Input,
  Kbd,
  MultiPicker,
  Link,
  PageHeader,
  Picker,
  SearchIcon,
  Select,
  useIsLeaving,
  useShortcut,
} from '../../../ui/index.ts'
import { ProjectsFilter } from '../../projects/index.ts'
import { type InboxSearch, MAILBOXES, type Mailbox, SORTS } from '../model/inbox-search.ts'
import { tagsQuery } from '../queries.ts'
import styles from './InboxFilters.module.css'

export type MailboxCounts = Readonly<Record<Exclude<Mailbox, 'all'>, number>>

interface Props {
  readonly org: string
  readonly search: InboxSearch
  readonly counts: MailboxCounts | undefined
  readonly onChange: (change: Partial<InboxSearch>) => void
}

/** Typing searches after this pause. */
const PAUSE_MS = 250

/** The bar above the inbox: which mailbox, whose, of what, in which order. */
export function InboxFilters({ org, search, counts, onChange }: Props) {
  const [typed, setTyped] = useState(search.query)
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isLeaving = useIsLeaving()
  useShortcut('/', () => input.current?.focus(), { label: 'Search', group: 'Feedback' })
  // The address can change without the field: back, a link, "show all".
  const { query } = search
  const [searched, setSearched] = useState(query)
  if (searched !== query) {
    setSearched(query)
    if (typed.trim() !== query) setTyped(query)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (!isLeaving()) onChange({ query: text.trim() })
    }, PAUSE_MS)
  }
  const active = Number(search.project.length > 0) + Number(search.assigned !== '') + Number(search.tag.length > 0)
  const filters = <Filters org={org} search={search} onChange={onChange} />
  return (
    <PageHeader title="Feedback">
      <Select
        look="bar"
        aria-label="Mailbox"
        value={search.mailbox}
        options={MAILBOXES.map(({ value, label }) => ({ value, label: withCount(label, countOf(counts, value)) }))}
        onValueChange={(mailbox) => onChange({ mailbox })}
      />
      <div className={styles.wide}>{filters}</div>
      <Input
        ref={input}
        className={styles.search ?? ''}
        icon={SearchIcon}
        aria-label="Search feedback"
        placeholder="Search message, name, e-mail, page"
        value={typed}
        onValueChange={type}
        trailing={<Kbd keys="/" />}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            clearTimeout(timer.current)
            onChange({ query: typed.trim() })
          }
          if (event.key === 'Escape') input.current?.blur()
        }}
      />
      <Link look="quiet" to="/organizations/$org/people" params={{ org }}>
        People
      </Link>
      <FilterSheet active={active} done="Show reports" className={styles.sheetButton}>
        {filters}
      </FilterSheet>
    </PageHeader>
  )
}

function Filters({ org, search, onChange }: Omit<Props, 'counts'>) {
  const { data: members = [] } = useQuery(membersQuery(org))
  const { data: teams = [] } = useQuery(teamsQuery(org))
  const { data: tags = [] } = useQuery(tagsQuery(org, search.project))
  const people = [
    { value: '', label: 'Anybody' },
    { value: 'me', label: 'Me' },
    { value: 'none', label: 'Nobody' },
    ...members.flatMap((member) =>
      member.user === null ? [] : [{ value: `user:${member.user.id}`, label: member.name || member.email }],
    ),
    ...teams.map((team) => ({ value: `team:${team.id}`, label: `#${team.slug}` })),
  ]
  return (
    <>
      <ProjectsFilter org={org} values={search.project} onChange={(project) => onChange({ project })} />
      <Picker
        label="Assigned to"
        options={people}
        value={search.assigned}
        onPick={(assigned) => onChange({ assigned })}
        trigger={
          <FilterButton
            name="Assigned to"
            text={
              search.assigned === ''
                ? 'Any assignee'
                : (people.find(({ value }) => value === search.assigned)?.label ?? '?')
            }
          />
        }
      />
      {tags.length === 0 && search.tag.length === 0 ? null : (
        <MultiPicker
          label="Tags"
          emptyText="No tag matches."
          options={tags.flatMap(({ key, values }) =>
            values.map(({ value, count }) => ({
              value: `${key}:${value}`,
              label: `${key}: ${value}`,
              hint: formatCount(count),
            })),
          )}
          values={search.tag}
          onValuesChange={(tag) => onChange({ tag })}
          trigger={<FilterButton name="Tags" text={filterText(search.tag, 'All tags', 'tags')} />}
        />
      )}
      <Select
        look="bar"
        named
        aria-label="Sort by"
        value={search.sort}
        options={SORTS}
        onValueChange={(sort) => onChange({ sort })}
      />
    </>
  )
}

const countOf = (counts: MailboxCounts | undefined, mailbox: Mailbox): number | undefined =>
  mailbox === 'all' ? undefined : counts?.[mailbox]

const withCount = (label: string, count: number | undefined): string =>
  count === undefined || count === 0 ? label : `${label} ${formatCount(count)}`
