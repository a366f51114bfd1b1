import type { AlertRule } from '@firsthand/contract'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'

import { useNow } from '../../../lib/now.ts'
import { useShortcut } from '../../../ui/index.ts'
import { type AlertChanges, MUTE_USUALLY } from '../alert-changes.ts'
import { isMutedNow } from '../model/decisions.ts'
import { useNames } from '../names.ts'
import { AlertRow } from './AlertRow.tsx'
import styles from './AlertList.module.css'

const group = 'Alerts'
const MINUTE_MS = 60_000

/** The rules as rows, with their keys. */
export function AlertList({
  org,
  rules,
  changes,
}: {
  readonly org: string
  readonly rules: readonly AlertRule[]
  readonly changes: AlertChanges
}) {
  const names = useNames(org)
  const now = useNow(MINUTE_MS)
  const navigate = useNavigate()
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState<string | null>(null)
  const current = rules.find(({ id }) => id === at)
  const place = current === undefined ? -1 : rules.indexOf(current)
  const open = (id: string) => void navigate({ to: '/organizations/$org/alerts/$alert', params: { org, alert: id } })
  useListKeysOf({
    place,
    current,
    goTo: (next) => {
      const rule = rules[Math.max(0, Math.min(rules.length - 1, next))]
      if (rule === undefined) return
      setAt(rule.id)
      // With the focus the row comes into sight, is heard, and Enter is its link's.
      list.current?.querySelector<HTMLElement>(`[data-alert="${CSS.escape(rule.id)}"] a`)?.focus()
    },
    open,
    now,
    changes,
  })
  return (
    <ul ref={list} className={styles.list} aria-label="Alerts">
      {rules.map((rule) => (
        <AlertRow
          key={rule.id}
          org={org}
          rule={rule}
          names={names}
          now={now}
          isCurrent={rule === current}
          changes={changes}
          onPoint={() => setAt(rule.id)}
          onOpen={open}
        />
      ))}
    </ul>
  )
}

interface KeysOptions {
  /** Of the current rule among the rows; -1 for none. */
  readonly place: number
  readonly current: AlertRule | undefined
  readonly goTo: (place: number) => void
  readonly open: (id: string) => void
  readonly now: number
  readonly changes: AlertChanges
}

function useListKeysOf({ place, current, goTo, open, now, changes }: KeysOptions): void {
  const { mayWrite } = changes
  useShortcut('j', () => goTo(place + 1), { label: 'Next alert', group })
  useShortcut('k', () => goTo(place - 1), { label: 'Previous alert', group })
  useShortcut('ArrowDown', () => goTo(place + 1), { label: 'Next alert', group })
  useShortcut('ArrowUp', () => goTo(place - 1), { label: 'Previous alert', group })
  const opening = () => current !== undefined && open(current.id)
  useShortcut('o', opening, { label: 'Open the alert', group })
  useShortcut('e', opening, { label: 'Edit the alert', group, enabled: mayWrite })
  const muteOrNot = () => {
    if (current !== undefined)
      void (isMutedNow(current, now) ? changes.unmute(current) : changes.mute(current, MUTE_USUALLY))
  }
  useShortcut('m', muteOrNot, { label: 'Mute for an hour, or let it speak', group, enabled: mayWrite })
  const switchIt = () => current !== undefined && void changes.enable(current, !current.isEnabled)
  useShortcut('s', switchIt, { label: 'Switch on or off', group, enabled: mayWrite })
  const copy = async () => {
    const made = current === undefined ? null : await changes.duplicate(current)
    if (made !== null) open(made.id)
  }
  useShortcut('d', () => void copy(), { label: 'Duplicate', group, enabled: mayWrite })
  const remove = () => {
    if (current === undefined) return
    goTo(place + 1)
    void changes.remove(current)
  }
  useShortcut('Backspace', remove, { label: 'Delete', group, enabled: mayWrite })
}
