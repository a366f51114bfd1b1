import type { IssueChange } from '@firsthand/contract'

import { MenuGroup, MenuItem, MenuSeparator } from '../../../ui/index.ts'

/** A change of state with the words of its toast: "SHOP-4K resolved". */
export interface StatusChoice {
  readonly change: IssueChange
  readonly done: string
}

export const RESOLVE: StatusChoice = { change: { status: 'resolved' }, done: 'resolved' }
export const REOPEN: StatusChoice = { change: { status: 'unresolved' }, done: 'reopened' }
export const ARCHIVE: StatusChoice = {
  change: { status: 'ignored', substatus: 'archived_until_escalating' },
  done: 'archived until the events escalate',
}

export const ARCHIVE_FOREVER: StatusChoice = {
  change: { status: 'ignored', substatus: 'archived_forever' },
  done: 'archived forever',
}
export const RESOLVE_IN_NEXT: StatusChoice = {
  change: { status: 'resolved', statusDetails: { inNextRelease: true } },
  done: 'resolved in the next release',
}

const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES

const UNTIL_TIME = [
  { label: '1 hour', minutes: HOUR_MINUTES },
  { label: '1 day', minutes: DAY_MINUTES },
  { label: '1 week', minutes: 7 * DAY_MINUTES },
  { label: '30 days', minutes: 30 * DAY_MINUTES },
] as const
const UNTIL_EVENTS = [10, 100, 1000] as const
const UNTIL_USERS = [1, 10, 100] as const
const UNTIL_AN_HOUR_HAS = [10, 100, 1000] as const

export function ResolveItems({ onChoose }: { readonly onChoose: (choice: StatusChoice) => void }) {
  return (
    <>
      <MenuItem kbd="e" onSelect={() => onChoose(RESOLVE)}>
        Resolve now
      </MenuItem>
      <MenuItem
        hint="Seeing it again in a later release makes it a regression"
        onSelect={() => onChoose(RESOLVE_IN_NEXT)}
      >
        In the next release
      </MenuItem>
      <MenuItem
        hint="The latest release already has the fix"
        onSelect={() =>
          onChoose({
            change: { status: 'resolved', statusDetails: { inRelease: 'latest' } },
            done: 'resolved in the current release',
          })
        }
      >
        In the current release
      </MenuItem>
    </>
  )
}

export function ArchiveItems({ onChoose }: { readonly onChoose: (choice: StatusChoice) => void }) {
  const until = (statusDetails: NonNullable<IssueChange['statusDetails']>, words: string): StatusChoice => ({
    change: { status: 'ignored', substatus: 'archived_until_condition_met', statusDetails },
    done: `archived ${words}`,
  })
  return (
    <>
      <MenuItem kbd="i" onSelect={() => onChoose(ARCHIVE)}>
        Until it escalates
      </MenuItem>
      <MenuItem onSelect={() => onChoose(ARCHIVE_FOREVER)}>Forever</MenuItem>
      <MenuSeparator />
      <MenuGroup label="For">
        {UNTIL_TIME.map(({ label, minutes }) => (
          <MenuItem key={label} onSelect={() => onChoose(until({ ignoreDuration: minutes }, `for ${label}`))}>
            {label}
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuGroup label="Until it happens">
        {UNTIL_EVENTS.map((count) => (
          <MenuItem key={count} onSelect={() => onChoose(until({ ignoreCount: count }, `until ${count} more events`))}>
            {count.toLocaleString('en-US')} more times
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuGroup label="Until it happens within an hour">
        {UNTIL_AN_HOUR_HAS.map((count) => (
          <MenuItem
            key={count}
            onSelect={() =>
              onChoose(
                until({ ignoreCount: count, ignoreWindow: HOUR_MINUTES }, `until ${count} events come within an hour`),
              )
            }
          >
            {count.toLocaleString('en-US')} times an hour
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuGroup label="Until it reaches">
        {UNTIL_USERS.map((count) => (
          <MenuItem
            key={count}
            onSelect={() => onChoose(until({ ignoreUserCount: count }, `until ${count} more users`))}
          >
            {count} more {count === 1 ? 'user' : 'users'}
          </MenuItem>
        ))}
      </MenuGroup>
    </>
  )
}
