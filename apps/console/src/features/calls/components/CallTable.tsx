import { linkOptions } from '@tanstack/react-router'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { Aside, Compared, type Measure, MeasuredTable, Unit, usePageKeys } from '../../performance/frame/index.ts'
import {
  changeOf,
  exactRate,
  formatRateIn,
  formatShare,
  type RateUnit,
  rateUnitOf,
} from '../../performance/model/index.ts'
import { type CallRow, isBad, type Row as Values, shareOf } from '../model/answers.ts'
import { type CallSearch, type CallsSearch, compactCall } from '../model/calls-url.ts'
import { type CallColumn, type CallKind, COMPARED, formatCell } from '../model/kinds.ts'
import { NAME } from '../model/shown.ts'

interface Props {
  readonly org: string
  readonly kind: CallKind
  readonly search: CallsSearch
  readonly rows: readonly CallRow[]
  /** The columns of all rows together; undefined while that is not known. */
  readonly all: Values | undefined
  readonly isOutdated: boolean
  readonly onChange: (change: Partial<CallsSearch>) => void
}

/** A row for all calls that did alike. */
export function CallTable({ org, kind, search, rows, all, isOutdated, onChange }: Props) {
  const pageOf = (row: CallRow) =>
    linkOptions({
      to: '/organizations/$org/performance/$kind/call',
      params: { org, kind: kind.name },
      search: compactCall(searchOf(row, search)),
    })
  const projects = useProjectNames(org)
  const keys = usePageKeys({ group: kind.label, thing: kind.thing.toLowerCase(), rows, pageOf })
  const unit = unitOf(kind, rows)
  return (
    <MeasuredTable<CallRow, string>
      caption={kind.label}
      rows={rows}
      keyOf={(row) => `${row.projectId} ${row.group}`}
      keys={keys}
      pageOf={pageOf}
      name={{
        key: NAME,
        label: kind.thing,
        of: ({ text, detail, projectId, project }) => ({
          text,
          place: [detail, projects.get(projectId) ?? project].filter((word) => word !== '').join(' · '),
        }),
      }}
      measures={kind.columns.map((column) => measureOf(column, all, unit))}
      sort={search.sort}
      onSort={(sort) => onChange({ sort })}
      smallestFirst={[NAME]}
      isOutdated={isOutdated}
      isCode
      isDense
      placesBelow
    />
  )
}

/** In which the rates of the list are. */
export function unitOf({ columns }: CallKind, rows: readonly CallRow[]): RateUnit {
  const column = columns.find(({ form }) => form === 'rate')
  return rateUnitOf(column === undefined ? [] : rows.map((row) => rateOf(row, column)))
}

const rateOf = ({ values }: CallRow, { field }: CallColumn): number => Number(values[field] ?? 0)

function measureOf(column: CallColumn, all: Props['all'], unit: RateUnit): Measure<CallRow, string> {
  const isRate = column.form === 'rate'
  const label = isRate ? `${column.label} ${unit.text}` : column.label
  return {
    key: column.key,
    label,
    title: column.title,
    sorts: true,
    isMinor: column.minor,
    isBad: ({ values }) => isBad(column, values),
    ...(isRate && { explained: (row: CallRow) => exactRate(rateOf(row, column)) }),
    cell: (row) => (
      <>
        <Unit>{label} </Unit>
        {isRate ? formatRateIn(rateOf(row, column), unit) : <Value column={column} row={row} all={all} />}
      </>
    ),
  }
}

function searchOf({ group, projectId }: CallRow, search: CallsSearch): CallSearch {
  const { query: _, sort: __, ...scope } = search
  return { ...scope, project: projectId === '' ? scope.project : [projectId], group }
}

function Value({
  column,
  row: { values, before, counted },
  all,
}: Pick<Props, 'all'> & { readonly column: CallColumn; readonly row: CallRow }) {
  const value = values[column.field]
  const text = formatCell(column.form, value)
  if (column.key === COMPARED) {
    const isKnown = typeof value === 'number'
    return (
      <Compared
        text={text}
        change={isKnown ? changeOf(value, before, counted) : null}
        isNew={isKnown && before === undefined}
      />
    )
  }
  if (column.key !== 'total') return text
  const share = shareOf(column, values, all)
  return (
    <>
      {text} <Aside>{share === null ? '' : formatShare(share)}</Aside>
    </>
  )
}
