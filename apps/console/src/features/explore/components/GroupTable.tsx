import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { cx } from '../../../lib/cx.ts'
import { sampledText } from '../../../lib/sampled-text.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { directionOf, sortedBy } from '../../../lib/sort.ts'
import { Button, Table, Tbody, Td, Th, Thead, Tr, VisibleText } from '../../../ui/index.ts'
import { timeBeforeText } from '../../performance/model/index.ts'
import { changeSince } from '../model/before.ts'
import type { ExploreSearch } from '../model/explore-search.ts'
import { letterOf } from '../model/functions.ts'
import { labelOf, type LineLook, lookOf } from '../model/lines.ts'
import { titleOf } from '../model/metrics.ts'
import { narrowed } from '../model/narrowed.ts'
import { shownValue } from '../model/shown-value.ts'
import { formatterOf, isNumber, type Kind } from '../model/values.ts'
import { beforeQuery, chartQuery } from '../queries.ts'
import type { Change } from './ExploreScreen.tsx'
import styles from './Tables.module.css'

export type Row = Readonly<Record<string, unknown>>

export interface TableProps {
  readonly org: string
  readonly rows: readonly Row[]
  readonly columns: readonly string[]
  readonly kindOf: (column: string) => Kind
  readonly sort: string
  readonly isOutdated: boolean
  readonly onSort: (sort: string) => void
}

interface Props extends TableProps {
  readonly search: ExploreSearch
  /** By row and function: how many were kept, and which share that is. */
  readonly samples: readonly Readonly<Record<string, number>>[]
  readonly rates: readonly Readonly<Record<string, number | null>>[]
  readonly onChange: Change
}

/** One row for each group. A press on its name asks about that group alone. */
export function GroupTable({
  org,
  search,
  rows,
  columns,
  kindOf,
  sort,
  isOutdated,
  samples,
  rates,
  onSort,
  onChange,
}: Props) {
  const { data: chart } = useQuery(chartQuery(org, search))
  const projects = useProjectNames(org)
  const { group, visualise } = search
  const looks = new Map<string, LineLook>(
    chart?.lines.flatMap(({ label, isOther }, place) => (isOther ? [] : [[label, lookOf(place, false)] as const])),
  )
  const [first = ''] = visualise
  const isCompared = isNumber(kindOf(first))
  const { data: before } = useQuery({ ...beforeQuery(org, search), enabled: isCompared })
  const notes = rows.map((_, index) => sampledText(samples[index]?.[first], rates[index]?.[first]))
  const formats = new Map(
    visualise.map((column) => [
      column,
      formatterOf(
        kindOf(column),
        rows.map((row) => row[column]),
      ),
    ]),
  )
  const textIn = (column: string, value: unknown): string => formats.get(column)?.(value) ?? ''
  const hasNotes = notes.some((note) => note !== null)
  // Narrower, each row is a block of its own.
  const width = 160 * group.length + 140 * visualise.length + (isCompared ? 80 : 0) + (hasNotes ? 260 : 90)
  return (
    <Table caption="Groups" stacksBelow={width} minWidth={width} className={cx(isOutdated && styles.outdated)}>
      <Thead>
        {columns.map((column) => {
          const place = visualise.indexOf(column)
          return (
            <Fragment key={column}>
              <Th
                numeric={place !== -1}
                sort={{ direction: directionOf(sort, column), onSort: () => onSort(sortedBy(sort, column)) }}
              >
                {place === -1 ? null : <span className={styles.letter}>{letterOf(place)} </span>}
                <code className={styles.code}>{titleOf(column)}</code>
              </Th>
              {place === 0 && isCompared ? (
                <Th numeric title={`A against ${timeBeforeText(search)}`}>
                  Change
                </Th>
              ) : null}
            </Fragment>
          )
        })}
        {hasNotes ? <Th numeric>Stands for</Th> : null}
        <Th numeric>
          <span className={styles.spoken}>Samples</span>
        </Th>
      </Thead>
      <Tbody>
        {rows.map((row, index) => {
          const label = labelOf(group.map((key) => row[key]))
          return (
            <GroupRow
              key={label === '' ? 'all' : label}
              label={label}
              names={group.map((key) => shownValue(key, row[key], projects))}
              row={row}
              look={looks.get(label)}
              change={
                isCompared
                  ? changeSince(
                      { value: row[first], samples: samples[index]?.[first] ?? 0 },
                      before?.get(label),
                      first,
                      kindOf(first),
                    )
                  : undefined
              }
              note={hasNotes ? (notes[index] ?? 'itself') : null}
              search={search}
              textIn={textIn}
              onChange={onChange}
            />
          )
        })}
      </Tbody>
    </Table>
  )
}

function GroupRow({
  label,
  names,
  row,
  look,
  change,
  note,
  search: { group, visualise, query },
  textIn,
  onChange,
}: Pick<Props, 'search' | 'onChange'> & {
  readonly textIn: (column: string, value: unknown) => string
  /** Of all its values; empty when there are no groups. */
  readonly label: string
  /** What each of them is called. */
  readonly names: readonly string[]
  readonly row: Row
  readonly look: LineLook | undefined
  /** How the first value moved; null when that is not known, undefined where nothing is compared. */
  readonly change: ReturnType<typeof changeSince> | undefined
  /** For what it stands; null where nothing is sampled. */
  readonly note: string | null
}) {
  return (
    <Tr className={styles.row}>
      {group.map((key, at) => (
        <Td key={key} className={styles.name} style={{ width: `${100 / group.length}%` }}>
          <button
            type="button"
            className={styles.group}
            title={`Only ${key}: ${names[at]}`}
            onClick={() => onChange({ query: narrowed(query, key, row[key]) })}
          >
            {at === 0 ? <Swatch look={look} /> : null}
            <span className={styles.words}>
              <VisibleText text={names[at] ?? ''} />
            </span>
          </button>
        </Td>
      ))}
      {visualise.map((column, at) => (
        <Fragment key={column}>
          <Td numeric className={styles.value}>
            <span className={styles.unit}>{titleOf(column)} </span>
            {at === 0 ? <strong>{textIn(column, row[column])}</strong> : textIn(column, row[column])}
          </Td>
          {at !== 0 || change === undefined ? null : (
            <Td numeric quiet className={cx(styles.value, change === null && styles.none)}>
              <span className={styles.change} data-verdict={change?.verdict}>
                {change?.text ?? '–'}
              </span>
            </Td>
          )}
        </Fragment>
      ))}
      {note === null ? null : (
        <Td numeric quiet className={styles.value}>
          {note}
        </Td>
      )}
      <Td numeric>
        <Button
          size="small"
          variant="ghost"
          aria-label={label === '' ? 'Samples' : `Samples of ${names.join(' · ')}`}
          onClick={() =>
            onChange({
              show: 'samples',
              sort: '',
              query: group.reduce((text, key) => narrowed(text, key, row[key]), query),
            })
          }
        >
          samples
        </Button>
      </Td>
    </Tr>
  )
}

/** How the line of the group is drawn in the chart; nothing for one that has none. */
function Swatch({ look }: { readonly look: LineLook | undefined }) {
  return (
    <svg width="22" height="8" aria-hidden="true" className={styles.swatch}>
      {look === undefined ? null : (
        <line
          x1="0"
          x2="22"
          y1="4"
          y2="4"
          strokeWidth="2"
          stroke={`var(${look.hue})`}
          strokeDasharray={look.dash?.join(' ')}
        />
      )}
    </svg>
  )
}
