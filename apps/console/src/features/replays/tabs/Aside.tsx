import type { ReplayPlayback } from '@firsthand/contract'
import { type ReactNode, useMemo, useState } from 'react'

import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { IconButton, Kbd, type TabOption, Tabs, Select, useShortcut, CloseIcon } from '../../../ui/index.ts'
import type { Axis } from '../model/axis.ts'
import { readMemory } from '../model/memory.ts'
import { readRequestRows } from '../model/requests.ts'
import type { Rows } from '../model/rows.ts'
import type { OpenedReplay } from '../player/use-replay.ts'
import { About } from './About.tsx'
import { Dom } from './Dom.tsx'
import { Events } from './Events.tsx'
import { Everything } from './Everything.tsx'
import { Memory } from './Memory.tsx'
import { Network } from './Network.tsx'
import { IN_FRONT, type TabPlace } from './TabHead.tsx'
import { Traces } from './lazy-traces.ts'
import styles from './Aside.module.css'

const TABS = ['everything', 'console', 'network', 'errors', 'trace', 'dom', 'memory', 'about'] as const
type Tab = (typeof TABS)[number]

const NAMES: Readonly<Record<Tab, string>> = {
  everything: 'Everything',
  console: 'Console',
  network: 'Network',
  errors: 'Errors',
  trace: 'Trace',
  dom: 'DOM',
  memory: 'Memory',
  about: 'About',
}

const isTab = (value: string): value is Tab => (TABS as readonly string[]).includes(value)

/** A screen that is lower than this has no room for a second tab unless it is asked for. */
const ROOM = '(min-width: 1001px) and (min-height: 760px)'

export interface AsideProps {
  readonly playback: ReplayPlayback
  readonly opened: OpenedReplay
  readonly rows: Rows
  readonly axis: Axis
}

/** What happened, beside the picture: tabs that follow the time, and a second one below the first. */
export function Aside(props: AsideProps) {
  const { playback, rows } = props
  const isPhone = useMedia(PHONE)
  const hasRoom = useMedia(ROOM)
  const requests = useMemo(() => readRequestRows(playback.marks), [playback.marks])
  const memory = useMemo(() => readMemory(playback.marks), [playback.marks])
  const [tab, setTab] = useState<Tab>('everything')
  const [wanted, setSecond] = useState<Tab | 'none' | null>(null)
  const other = tab === 'network' ? 'everything' : 'network'
  // Until somebody decides, where there is something for it to show.
  const usual = hasRoom && requests.length > 0 ? other : 'none'
  const second = isPhone ? 'none' : (wanted ?? usual)
  const toggle = (): void => setSecond(second === 'none' ? other : 'none')
  useShortcut('s', toggle, { label: 'A second tab below, or not', group: 'Replay' })
  const counts: Partial<Record<Tab, number>> = {
    everything: rows.everything.length,
    console: rows.console.length,
    network: requests.length,
    errors: rows.errors.length,
    trace: playback.replay.trace_ids.length,
    memory: memory.length,
  }
  const tabs: readonly TabOption<Tab>[] = TABS.map((value) => ({ value, label: NAMES[value], count: counts[value] }))
  const content = (shown: Tab, place: TabPlace): ReactNode => (
    <Content key={shown} {...props} tab={shown} place={place} requests={requests} memory={memory} />
  )
  return (
    <aside className={styles.aside} aria-label="What happened">
      <Tabs value={tab} onValueChange={setTab} tabs={tabs} aria-label="What happened">
        {content(tab, IN_FRONT)}
      </Tabs>
      {isPhone ? null : second === 'none' ? (
        <button type="button" className={styles.more} onClick={toggle}>
          A second tab here <Kbd keys="s" />
        </button>
      ) : (
        <section className={styles.strip} aria-label="Second tab">
          {content(second, {
            isStrip: true,
            lead: (
              <Select
                look="bar"
                aria-label="What the second tab shows"
                value={second}
                onValueChange={(value) => {
                  if (isTab(value)) setSecond(value)
                }}
                options={TABS.map((value) => ({ value, label: NAMES[value] }))}
              />
            ),
            end: <IconButton icon={CloseIcon} size="small" label="Close the second tab" kbd="s" onClick={toggle} />,
          })}
        </section>
      )}
    </aside>
  )
}

function Content({
  tab,
  place,
  playback,
  opened: { picture, player },
  rows,
  axis,
  requests,
  memory,
}: AsideProps & {
  readonly tab: Tab
  readonly place: TabPlace
  readonly requests: ReturnType<typeof readRequestRows>
  readonly memory: ReturnType<typeof readMemory>
}) {
  const { hasPicture, marksLeftOut, replay, startedAt } = playback
  const events = { player, from: startedAt, project: replay.project_id, leftOut: marksLeftOut, place }
  switch (tab) {
    case 'everything':
      return <Everything {...events} rows={rows.everything} nothing="Nothing was noted in this recording." />
    case 'console':
      return (
        <Events
          {...events}
          rows={rows.console}
          nothing="The page wrote nothing to its console, or its SDK does not note it."
        />
      )
    case 'errors':
      return <Events {...events} rows={rows.errors} nothing="Nothing was reported while this was recorded." />
    case 'network':
      return <Network player={player} requests={requests} from={startedAt} replay={replay.id} place={place} />
    case 'trace':
      return <Traces playback={playback} player={player} place={place} />
    case 'memory':
      return <Memory player={player} points={memory} axis={axis} place={place} />
    case 'dom':
      return <Dom player={player} picture={picture} hasPicture={hasPicture} place={place} />
    case 'about':
      return <About playback={playback} place={place} />
  }
}
