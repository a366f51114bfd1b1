import type { InboxEntry } from '@firsthand/contract'
import { type ReactElement, useState } from 'react'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/index.ts'
import type { InboxWork } from '../inbox-work.ts'
import { snoozeChoices } from '../model/snooze-choices.ts'
import styles from './SnoozeMenu.module.css'

/**
 * Ends of a sleep: by the clock, and such that mean something.
 *
 * @param props.entry what sleeps; null for the selection
 */
export function SnoozeMenu({
  work,
  entry,
  trigger,
}: {
  readonly work: InboxWork
  readonly entry: InboxEntry | null
  readonly trigger: ReactElement<Record<string, unknown>>
}) {
  const isOpen = work.snoozing && (entry === null) === work.selected.size > 0
  return (
    <Menu open={isOpen} onOpenChange={work.setSnoozing} align="end" trigger={trigger}>
      {isOpen ? <Choices work={work} entry={entry} /> : null}
    </Menu>
  )
}

function Choices({ work, entry }: { readonly work: InboxWork; readonly entry: InboxEntry | null }) {
  // As it was when the menu opened: what one reads is what is chosen.
  const [{ times, events }] = useState(() => snoozeChoices(Date.now(), entry))
  const ids = entry === null ? work.target() : [entry.id]
  const draw = ({ label, hint, snooze }: (typeof times)[number]) => (
    <MenuItem key={label} onSelect={() => work.snooze(snooze, ids)} {...(hint !== '' && { hint })}>
      {label}
    </MenuItem>
  )
  return (
    <>
      {times.map(draw)}
      <MenuSeparator />
      {events.map(draw)}
      <p className={styles.note}>Always wakes up when you are mentioned.</p>
    </>
  )
}
