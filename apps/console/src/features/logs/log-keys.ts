import { type RefObject, useRef } from 'react'
import { useNavigate } from '@tanstack/react-router'

import { toast, useShortcut } from '../../ui/index.ts'
import { addFilter } from '../search/model/index.ts'
import type { LogListHandle } from './components/LogList.tsx'
import type { ChangeLogs } from './components/LogsScreen.tsx'
import type { LogFeed } from './log-feed.ts'
import type { LogsSearch } from './model/logs-search.ts'

const group = 'Logs'
/** They use these keys themselves while they have the focus. */
const CONTROLS = 'a, button, summary, input, [role=slider], [role=checkbox]'

interface LogKeys {
  readonly org: string
  readonly search: LogsSearch
  readonly feed: LogFeed
  readonly openLine: (line: string | undefined) => void
  readonly change: ChangeLogs
  readonly togglePause: () => void
}

/** The keys of the list; `?` lists them. Answers where the list is to be found. */
export function useLogKeys(keys: LogKeys): RefObject<LogListHandle | null> {
  const { org, search, feed, openLine, change, togglePause } = keys
  const navigate = useNavigate()
  const list = useRef<LogListHandle>(null)
  const current = () => list.current?.current() ?? null
  const move = (step: number): void => list.current?.move(step)
  useShortcut('j', () => move(1), { label: 'Next line', group })
  useShortcut('k', () => move(-1), { label: 'Previous line', group })
  useShortcut('ArrowDown', () => move(1), { label: 'Next line', group, unlessOn: '[role=slider]' })
  useShortcut('ArrowUp', () => move(-1), { label: 'Previous line', group, unlessOn: '[role=slider]' })
  const toggle = (): void => {
    const line = current()
    if (line !== null) openLine(line.id === search.line ? undefined : line.id)
  }
  useShortcut('o', toggle, { label: 'Open, and close', group })
  useShortcut('Enter', toggle, { label: 'Open, and close', group, unlessOn: CONTROLS })
  useShortcut('Escape', () => openLine(undefined), { label: 'Close the line', group })
  useShortcut('p', togglePause, { label: 'Hold the tail, and let it go', group })
  useShortcut(
    'e',
    () => {
      const from = feed.lines.findIndex((line) => line === current())
      const next = feed.lines.findIndex(({ level }, at) => at > from && (level === 'error' || level === 'fatal'))
      if (next !== -1) list.current?.go(next)
    },
    { label: 'Next error', group },
  )
  useShortcut(
    't',
    () => {
      const line = current()
      if (line === null || line.traceId === '') return
      const at = line.spanId === '' ? {} : { span: line.spanId }
      void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace: line.traceId }, search: at })
    },
    { label: 'Its trace', group },
  )
  useShortcut(
    'x',
    () => {
      const line = current()
      if (line === null) return
      const query = addFilter(search.query, 'pattern', line.pattern, true)
      change({ query })
      toast({
        title: 'Lines like this are left out.',
        action: { label: 'Undo', run: () => change({ query: search.query }) },
      })
    },
    { label: 'Leave out lines like this', group },
  )
  return list
}
