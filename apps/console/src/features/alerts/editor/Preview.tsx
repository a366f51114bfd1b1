import type { AlertDryRun } from '@firsthand/contract'
import { useState } from 'react'

import { initials } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import {
  ChevronLeftIcon,
  ChevronRightIcon,
  IconButton,
  lazyPart,
  SegmentedControl,
  Select,
  SkeletonRows,
  useShortcut,
} from '../../../ui/index.ts'
import { channelsOf, channelText, type Firing, threadOf } from '../model/previews.ts'
import { MessageBlocks } from './MessageBlocks.tsx'
import styles from './Preview.module.css'

interface Props {
  readonly org: string
  readonly run: AlertDryRun | undefined
  /** Place of the firing whose messages are shown. */
  readonly shown: number
  readonly onShow: (place: number) => void
}

const THREAD = 'thread'

/** The messages of one incident as those who are told would have seen them: with its updates and the all-clear, in one thread. */
export function Preview({ org, run, shown, onShow }: Props) {
  const [wanted, setWanted] = useState(THREAD)
  const told = run?.firings.flatMap((firing, place) => (firing.messages.length > 0 ? [{ firing, place }] : [])) ?? []
  const at = Math.max(
    0,
    told.findIndex(({ place }) => place === shown),
  )
  const current = told[at]
  const step = (by: 1 | -1) => {
    const next = told[at + by]
    if (next !== undefined) onShow(next.place)
  }
  useShortcut('[', () => step(-1), { label: 'Message before', group: 'Alert' })
  useShortcut(']', () => step(1), { label: 'Next message', group: 'Alert' })
  if (run === undefined) return null
  const channels = current === undefined ? [] : channelsOf(current.firing)
  const view = channels.includes(wanted) ? wanted : THREAD
  return (
    <section className={styles.preview} aria-label="As it would have looked">
      <header className={styles.head}>
        <h2 className={styles.title}>As it would have looked</h2>
        {told.length < 2 ? null : (
          <div className={styles.pages}>
            <span>
              {at + 1} of {told.length}
            </span>
            <IconButton icon={ChevronLeftIcon} label="Message before" kbd="[" size="small" onClick={() => step(-1)} />
            <IconButton icon={ChevronRightIcon} label="Next message" kbd="]" size="small" onClick={() => step(1)} />
          </div>
        )}
      </header>
      {current === undefined ? (
        <p className={styles.none}>
          {run.incidents === 0
            ? 'It would not have fired in the last 14 days, so there is no message to show.'
            : 'It would have fired, but no message of it can be replayed.'}
        </p>
      ) : (
        <>
          <div className={styles.bar}>
            <Views channels={channels} value={view} onChange={setWanted} />
            <time className={styles.moment} dateTime={current.firing.at}>
              {formatMoment('hour', Date.parse(current.firing.at))}
            </time>
          </div>
          {view === THREAD ? (
            <Thread org={org} firing={current.firing} />
          ) : (
            <AsSent firing={current.firing} channel={view} />
          )}
        </>
      )}
    </section>
  )
}

/** Few channels stand side by side. */
const SIDE_BY_SIDE = 4

function Views({
  channels,
  value,
  onChange,
}: {
  readonly channels: readonly string[]
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const options = [
    { value: THREAD, label: 'Thread' },
    ...channels.map((channel) => ({ value: channel, label: channelText(channel) })),
  ]
  if (options.length < 2) return <span />
  return options.length <= SIDE_BY_SIDE ? (
    <SegmentedControl aria-label="Shown as" value={value} options={options} onValueChange={onChange} />
  ) : (
    <Select look="bar" aria-label="Shown as" value={value} options={options} onValueChange={onChange} />
  )
}

function Thread({ org, firing }: { readonly org: string; readonly firing: Firing }) {
  const { first, later } = threadOf(firing)
  if (first === undefined) return null
  const { message } = first
  return (
    <article className={styles.card} aria-label="Message">
      <span className={styles.sender} aria-hidden="true">
        {initials(org).slice(0, 1)}
      </span>
      <div className={styles.said}>
        <p className={styles.by}>
          <b>Firsthand</b> <span className={styles.app}>APP</span>{' '}
          <time dateTime={first.at}>{formatMoment('clock', Date.parse(first.at))}</time>
        </p>
        <p className={styles.headline}>{message.headline}</p>
        <MessageBlocks message={message} />
        {later.length === 0 ? null : (
          <ol className={styles.later} aria-label="What follows in the thread">
            {later.map(({ at, message: next }) => (
              <li key={`${at} ${next.headline}`} className={next.stage === 'over' ? styles.clear : undefined}>
                <time dateTime={at}>{formatMoment('clock', Date.parse(at))}</time> {next.headline}
              </li>
            ))}
          </ol>
        )}
        <p className={styles.reason}>{message.reason}</p>
      </div>
    </article>
  )
}

const Look = lazyPart(() => import('./looks/Look.tsx').then((module) => module.Look))

/** As it would have arrived. */
function AsSent({ firing, channel }: { readonly firing: Firing; readonly channel: string }) {
  const sent = firing.messages.flatMap(({ at, rendered }) =>
    rendered.filter((one) => one.channel === channel).map((one) => ({ at, ...one })),
  )
  return (
    <div className={styles.sent}>
      {sent.map(({ at, ...one }) => (
        <section key={at} aria-label={formatMoment('hour', Date.parse(at))}>
          <Look sent={one} moment={formatMoment('hour', Date.parse(at))} fallback={<SkeletonRows rows={4} />} />
        </section>
      ))}
    </div>
  )
}
