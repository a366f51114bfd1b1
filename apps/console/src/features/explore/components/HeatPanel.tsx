import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { useCanvas } from '../../../lib/use-canvas.ts'
import { Button, ErrorState, Panel, SegmentedControl, Skeleton } from '../../../ui/index.ts'
import { rangeBetween } from '../../issues/model/index.ts'
import { removeFilters, isFilterFor } from '../../search/model/index.ts'
import { datasetOf } from '../model/datasets.ts'
import type { ExploreSearch } from '../model/explore-search.ts'
import {
  type Box,
  boxFromText,
  boxOf,
  boxText,
  conditionsOf,
  countIn,
  decadesOf,
  gridOf,
  type HeatGrid,
  type HeatMap,
  mappedAttribute,
  movedBox,
  rangeOf,
  shadeOf,
  valueAt,
} from '../model/heat.ts'
import { metricOf, unitText } from '../model/metrics.ts'
import { kindOfUnit } from '../model/units.ts'
import { formatTick } from '../model/values.ts'
import { heatQuery } from '../queries.ts'
import { BoxDifferences } from './BoxDifferences.tsx'
import type { Change } from './ExploreScreen.tsx'
import { useWidth } from '../../../lib/use-width.ts'
import styles from './HeatPanel.module.css'

const HEIGHT = 160
/** Times and scale under the map. */
const BELOW = 56

interface Props {
  readonly org: string
  readonly search: ExploreSearch
  readonly onChange: Change
}

/** How often which durations were, over time. A box that is drawn is compared with the rest, and can narrow the question. */
export function HeatPanel({ org, search, onChange }: Props) {
  const isOn = search.heat === 'on'
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...heatQuery(org, search),
    enabled: isOn,
    placeholderData: keepPreviousData,
  })
  const { things } = datasetOf(search.dataset)
  const attribute = mappedAttribute(search) ?? ''
  return (
    <Panel
      className={isPlaceholderData ? styles.outdated : undefined}
      title={`All ${things} as a heat map`}
      subtitle={`${attribute}, log scale; draw a box to ask what is different in it`}
      actions={
        <SegmentedControl
          aria-label="Whether the heat map is drawn"
          value={search.heat}
          onValueChange={(heat) => onChange({ heat })}
          options={[
            { value: 'on', label: 'Heat map' },
            { value: 'off', label: 'Off' },
          ]}
        />
      }
    >
      {!isOn ? (
        <p className={styles.off}>It is not drawn.</p>
      ) : data !== undefined ? (
        <Drawn
          key={`${search.dataset} ${attribute} ${search.statsPeriod} ${search.start} ${search.end}`}
          org={org}
          map={data}
          search={search}
          onChange={onChange}
        />
      ) : error === null ? (
        <Skeleton height={HEIGHT + BELOW} />
      ) : (
        <ErrorState
          compact
          title="The heat map could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
    </Panel>
  )
}

function Drawn({
  org,
  map,
  search,
  onChange,
}: {
  readonly org: string
  readonly map: HeatMap
  readonly search: ExploreSearch
  readonly onChange: Change
}) {
  const grid = gridOf(map)
  const isToNow = search.end === undefined && grid.end <= map.end
  // What is asked about stands in the address: while a box is being drawn, still the one before.
  const asked = boxFromText(map, grid, search.box)
  const [drawing, setDrawing] = useState<{ readonly box: Box | null; readonly over: string } | null>(null)
  const box = drawing?.over === search.box ? drawing.box : asked
  const metric = metricOf(search.visualise)
  const kind = metric === null ? { type: map.type, unit: map.unit } : kindOfUnit(unitText(metric))
  const value = (level: number) => formatTick(kind, valueAt(map, level))
  const range = box === null ? null : rangeOf(map, box)
  const spoken =
    box === null
      ? 'No box'
      : `In the box: ${formatCount(countIn(map, box))}, ${value(box.fromLevel)} to ${value(box.toLevel + 1)}`
  const ask = (next: Box | null) => {
    const text = next === null ? '' : boxText(map, next)
    if (text !== search.box) onChange({ box: text })
  }
  const narrow = () => {
    if (range === null) return
    const rest = removeFilters(search.query, (token) => isFilterFor(token, map.attribute))
    onChange({
      box: '',
      query: [rest, ...conditionsOf(map.attribute, map.type, range.from, range.to)]
        .filter((one) => one !== '')
        .join(' '),
      ...rangeBetween(range.start, range.end),
    })
  }
  if (grid.total === 0) {
    return (
      // As tall as what was outlined, so that nothing below moves.
      <p className={styles.off} style={{ minHeight: HEIGHT + BELOW }}>
        {nothingText(search, map.attribute)}
      </p>
    )
  }
  return (
    <div className={cx(asked !== null && styles.compared)}>
      <div className={styles.map}>
        <ol className={styles.values} style={{ height: HEIGHT }} aria-hidden="true">
          {decadesOf(map, grid).map((tick) => (
            <li key={tick.value} style={{ bottom: `${tick.share * 100}%` }}>
              {formatTick(kind, tick.value)}
            </li>
          ))}
        </ol>
        <Cells
          map={map}
          grid={grid}
          box={box}
          boxText={spoken}
          onBox={(next) => setDrawing({ box: next, over: search.box })}
          onDrawn={() => ask(box)}
        />
        <p className={styles.times} aria-hidden="true">
          <span>{formatMoment('hour', map.start)}</span>
          <span>{formatMoment('hour', (map.start + grid.end) / 2)}</span>
          <span>{isToNow ? 'now' : formatMoment('hour', grid.end)}</span>
        </p>
        <div className={styles.foot}>
          {box === null || range === null ? (
            <span>
              {formatCount(grid.total)} in all, from {value(grid.lowest)} to {value(grid.lowest + grid.levels)}
            </span>
          ) : (
            <>
              <span role="status">{spoken}</span>
              <Button size="small" onClick={narrow}>
                Only the box
              </Button>
              <Button size="small" variant="ghost" onClick={() => ask(null)}>
                Without it
              </Button>
            </>
          )}
          <span className={styles.scale}>
            per cell 1 <span className={styles.shades} aria-hidden="true" /> {formatCount(grid.most)}
          </span>
        </div>
      </div>
      {asked === null ? null : (
        <BoxDifferences org={org} search={search} range={rangeOf(map, asked)} onChange={onChange} />
      )}
    </div>
  )
}

function nothingText({ dataset, query }: ExploreSearch, attribute: string): string {
  const { things } = datasetOf(dataset)
  return query === ''
    ? `None of the ${things} of this time has a value of ${attribute}.`
    : `No ${things} that match have a value of ${attribute}.`
}

interface Colours {
  readonly cell: string
  readonly line: string
}

const readColours = (): Colours => {
  const style = getComputedStyle(document.documentElement)
  return { cell: style.getPropertyValue('--accent').trim(), line: style.getPropertyValue('--ink').trim() }
}

type Point = { readonly x: number; readonly y: number }

function Cells({
  map,
  grid,
  box,
  boxText,
  onBox,
  onDrawn,
}: {
  readonly map: HeatMap
  readonly grid: HeatGrid
  readonly box: Box | null
  readonly onBox: (box: Box | null) => void
  readonly onDrawn: () => void
  readonly boxText: string
}) {
  const { ref, width } = useWidth()
  const [begun, setBegun] = useState<Point | null>(null)
  const wide = width / grid.across
  const tall = HEIGHT / grid.levels
  const top = (level: number) => HEIGHT - (level - grid.lowest + 1) * tall
  const canvas = useCanvas<Colours>(
    ({ context, palette }) => {
      context.fillStyle = palette.cell
      for (const [step, level, count] of map.cells) {
        context.globalAlpha = shadeOf(count, grid.most)
        context.fillRect(step * wide + 0.5, top(level) + 0.5, Math.max(1, wide - 1), Math.max(1, tall - 1))
      }
      context.globalAlpha = 1
      if (box === null) return
      context.strokeStyle = palette.line
      context.lineWidth = 1.5
      const columns = box.toStep - box.fromStep + 1
      const rows = box.toLevel - box.fromLevel + 1
      context.strokeRect(box.fromStep * wide + 0.75, top(box.toLevel) + 0.75, columns * wide - 1.5, rows * tall - 1.5)
    },
    { width, height: HEIGHT },
    readColours,
  )
  const at = (event: PointerEvent): Point => {
    const { left, top: above, width: across, height } = event.currentTarget.getBoundingClientRect()
    return { x: (event.clientX - left) / across, y: (event.clientY - above) / height }
  }
  const drawn = () => {
    setBegun(null)
    onDrawn()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? null : movedBox(grid, box, event.key, event.shiftKey)
    if (next === null && (event.key !== 'Escape' || box === null)) return
    event.preventDefault()
    onBox(next)
  }
  return (
    <div
      ref={ref}
      className={styles.cells}
      // By keyboard, the box is what moves.
      role="slider"
      aria-label={`${formatCount(grid.total)} values of ${map.attribute} over time; arrow keys draw a box, with Shift they change its size`}
      aria-valuemin={grid.lowest}
      aria-valuemax={grid.lowest + grid.levels - 1}
      aria-valuenow={box?.toLevel ?? grid.lowest}
      aria-valuetext={boxText}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onKeyUp={onDrawn}
      style={{ height: HEIGHT }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setBegun(at(event))
        onBox(boxOf(grid, at(event), at(event)))
      }}
      onPointerMove={(event) => {
        if (begun !== null) onBox(boxOf(grid, begun, at(event)))
      }}
      onPointerUp={drawn}
      onPointerCancel={drawn}
    >
      <canvas ref={canvas} className={styles.canvas} style={{ width, height: HEIGHT }} />
    </div>
  )
}
