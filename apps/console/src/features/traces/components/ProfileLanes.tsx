import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Link, VisibleText, VisuallyHidden } from '../../../ui/index.ts'
import {
  functionOf,
  gapAt,
  type LaneStretch,
  type ProfileLane,
  profileLanesQuery,
  stepsTogether,
  stretchAt,
  stretchesOf,
  traceProfilesQuery,
} from '../../profiles/links/index.ts'
import { placeOfProfile } from '../model/profile-place.ts'
import { bringIntoSight, offsetText } from '../model/time-axis.ts'
import { type Surface, useCanvas } from '../paint/canvas.ts'
import { LANE_PIXELS, paintProfile } from '../paint/profile.ts'
import type { TraceView } from '../trace-view.ts'
import overview from './Overview.module.css'
import styles from './ProfileLanes.module.css'

interface Props {
  readonly org: string
  readonly trace: string
  readonly view: TraceView
  readonly services: readonly string[]
  readonly width: number
}

/** Below the axis: which function ran longest, for each profile and thread. Nothing in a trace without profiles. */
export function ProfileLanes({ org, trace, ...shared }: Props) {
  const { data: profiles = [] } = useQuery(traceProfilesQuery(org, trace))
  const hasProfiles = profiles.length > 0
  const { data, isPending } = useQuery({ ...profileLanesQuery(org, trace), enabled: hasProfiles })
  if (!hasProfiles) return null
  // Its room is kept, so that the rows do not move when it comes.
  if (data === undefined) {
    return (
      <>
        <Name title="Profile" detail={isPending ? 'Loading…' : 'could not be loaded'} />
        <div style={{ height: LANE_PIXELS }} />
      </>
    )
  }
  const nameOf = (place: number) => functionOf(data, place)
  return data.lanes.map((lane, index) => (
    <Lane
      key={`${lane.profile} ${lane.projectId} ${lane.thread.id} ${lane.start}`}
      org={org}
      trace={trace}
      lane={lane}
      nameOf={nameOf}
      isCut={data.truncated && index === data.lanes.length - 1}
      {...shared}
    />
  ))
}

function Name({ title, detail }: { readonly title: string; readonly detail: string }) {
  return (
    <div className={cx(overview.names, overview.ofLane)}>
      <div className={overview.lane} style={{ height: LANE_PIXELS }}>
        <span className={overview.project}>
          <VisibleText text={title} />
        </span>
        <span className={overview.spans}>{detail}</span>
      </div>
    </div>
  )
}

const MILLISECOND = 1000
const spoken = (microseconds: number): string => formatSpent(microseconds / MILLISECOND)

function Lane({
  org,
  trace,
  lane,
  nameOf,
  isCut,
  view,
  services,
  width,
}: Props & {
  readonly lane: ProfileLane
  readonly nameOf: (place: number) => ReturnType<typeof functionOf>
  /** There are more than are shown. */
  readonly isCut: boolean
}) {
  const { model, whole, zoom } = view
  const start = useMemo(() => placeOfProfile(model, lane), [model, lane])
  const scale = width / (zoom.to - zoom.from)
  const together = stepsTogether(lane, scale)
  const stretches = useMemo(() => stretchesOf(lane, together), [lane, together])
  /** The moment that is pointed at, or where the keys are: what is drawn together changes with the zoom. */
  const [at, setAt] = useState<number | null>(null)
  const [isTold, setTold] = useState(false)
  const [isPointed, setPointed] = useState(false)
  const x = (moment: number): number => (start + moment - zoom.from) * scale
  const current = stretchAt(stretches, at ?? (zoom.from + zoom.to) / 2 - start)
  const canvas = useCanvas((surface: Surface) => paintProfile(surface, { stretches, x, nameOf }), {
    width,
    height: LANE_PIXELS,
  })
  const goTo = (stretch: LaneStretch): void => {
    setAt((stretch.from + stretch.to) / 2)
    view.setZoom(bringIntoSight(zoom, whole, start + stretch.from, start + stretch.to))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: stretches.length - 1 }[event.key]
    const stretch = next === undefined ? undefined : stretches[next]
    if (next === undefined) return
    event.preventDefault()
    if (stretch !== undefined) goTo(stretch)
  }
  const service = services[model.projects.findIndex(({ id }) => id === lane.projectId)] ?? ''
  const shown = stretches[current]
  const gap = isPointed && at !== null ? gapAt(lane, stretches, at) : null
  return (
    <>
      <Name
        title={['Profile', service, lane.thread.name].filter((word) => word !== '').join(' · ')}
        detail={`${formatCount(lane.samples)} samples${isCut ? ' · more left out' : ''}`}
      />
      <div
        className={styles.lane}
        style={{ width, height: LANE_PIXELS }}
        onPointerMove={(event) => {
          const left = event.currentTarget.getBoundingClientRect().left
          setAt(zoom.from + (event.clientX - left) / scale - start)
          setTold(true)
          setPointed(true)
        }}
        onPointerLeave={() => {
          setTold(false)
          setPointed(false)
        }}
      >
        <canvas ref={canvas} aria-hidden="true" className={overview.canvas} style={{ width, height: LANE_PIXELS }} />
        {shown === undefined ? null : (
          <Stretch
            org={org}
            trace={trace}
            lane={lane}
            stretch={shown}
            named={nameOf(shown.function)}
            start={start}
            left={Math.max(0, Math.min(width, x(shown.from)))}
            right={Math.max(0, Math.min(width, x(shown.to)))}
            width={width}
            isTold={isTold && gap === null}
            onTold={setTold}
            onKeyDown={onKeyDown}
          />
        )}
        {gap === null ? null : (
          <Told left={x(gap.from)} right={x(gap.to)} width={width}>
            <span>Nothing ran in these {spoken(gap.to - gap.from)}</span>
            <span className={styles.quiet}>{whenOf(start, gap)}</span>
          </Told>
        )}
      </div>
    </>
  )
}

const whenOf = (start: number, { from, to }: { readonly from: number; readonly to: number }): string =>
  `${offsetText(start + from)} to ${offsetText(start + to)}`

/** What stands below a piece of the lane, within its width. */
function Told({
  left,
  right,
  width,
  children,
}: {
  /** Of the piece, in pixels. */
  readonly left: number
  readonly right: number
  readonly width: number
  readonly children: ReactNode
}) {
  const isRight = (left + right) / 2 > width / 2
  return (
    <span
      className={styles.told}
      aria-hidden="true"
      style={isRight ? { right: Math.max(0, width - right) } : { left: Math.max(0, left) }}
    >
      {children}
    </span>
  )
}

/** The stretch that is pointed at, as a link to its flame graph; the arrow keys lead it to the next one. */
function Stretch({
  org,
  trace,
  lane,
  stretch,
  named,
  start,
  left,
  right,
  width,
  isTold,
  onTold,
  onKeyDown,
}: {
  readonly org: string
  readonly trace: string
  readonly lane: ProfileLane
  readonly stretch: LaneStretch
  readonly named: ReturnType<typeof functionOf>
  /** Of the lane, on the axis. */
  readonly start: number
  /** Pixels. */
  readonly left: number
  readonly right: number
  readonly width: number
  readonly isTold: boolean
  readonly onTold: (isTold: boolean) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}) {
  const times = `${spoken(stretch.self)} itself, of ${spoken(stretch.ran)} that ran`
  const when = whenOf(start, stretch)
  return (
    <>
      <Link
        look="plain"
        className={styles.stretch}
        style={{ left, width: Math.max(2, right - left) }}
        aria-label={`Profile, ${when}: ${named.name}, ${times}. Flame graph`}
        aria-description="Arrow keys lead to what ran before and after"
        data-told={isTold ? '' : undefined}
        to="/organizations/$org/profiles/$profile"
        params={{ org, profile: lane.profile }}
        search={{
          project: lane.projectId,
          ...(lane.thread.id !== '' && { thread: lane.thread.id }),
          from: (lane.start + stretch.from) / MILLISECOND,
          to: (lane.start + stretch.to) / MILLISECOND,
          trace,
          ...(lane.spanId !== '' && { span: lane.spanId }),
        }}
        onKeyDown={onKeyDown}
        onFocus={() => onTold(true)}
        onBlur={() => onTold(false)}
      />
      {isTold ? (
        <Told left={left} right={right} width={width}>
          <code className={styles.name}>
            <VisibleText text={named.name} />
          </code>
          <span>{times}</span>
          <span className={styles.quiet}>
            <VisibleText text={[named.file, when].filter((word) => word !== '').join(' · ')} />
          </span>
        </Told>
      ) : null}
      <span role="status">
        {isTold ? (
          <VisuallyHidden>
            {named.name}, {times}
          </VisuallyHidden>
        ) : null}
      </span>
    </>
  )
}
