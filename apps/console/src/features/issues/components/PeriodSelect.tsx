import { useState } from 'react'

import { timeZone } from '../../../lib/moments.ts'
import { Button, Checkbox, Dialog, Field, FieldStack, Input, Select } from '../../../ui/index.ts'
import { NO_DATES, PERIODS, timeLabel } from '../model/stream-choices.ts'
import type { ScopeSearch } from '../model/stream-search.ts'
import { fromZoned, toZoned } from '../model/zoned-time.ts'

interface PeriodProps {
  readonly search: ScopeSearch
  readonly onChange: (change: Partial<ScopeSearch>) => void
}

const DATES = 'dates'
const IN_FORCE = 'in force'

/** How far back, or from when to when. */
export function PeriodSelect({ search, onChange }: PeriodProps) {
  const [asks, setAsks] = useState(false)
  const isUsual = search.start === undefined && PERIODS.some((period) => period.value === search.statsPeriod)
  return (
    <>
      <Select
        look="bar"
        aria-label="Period"
        value={isUsual ? search.statsPeriod : IN_FORCE}
        options={[
          ...PERIODS,
          ...(isUsual ? [] : [{ value: IN_FORCE, label: timeLabel(search) }]),
          { value: DATES, label: 'Dates …' },
        ]}
        onValueChange={(value) => {
          if (value === DATES) setAsks(true)
          else if (value !== IN_FORCE) onChange({ ...NO_DATES, statsPeriod: value })
        }}
      />
      {asks ? <DatesDialog search={search} onChange={onChange} onClose={() => setAsks(false)} /> : null}
    </>
  )
}

const DAY_MS = 86_400_000

function DatesDialog({ search, onChange, onClose }: PeriodProps & { readonly onClose: () => void }) {
  const zone = timeZone()
  const [inUtc, setInUtc] = useState(search.utc !== undefined)
  const used = inUtc ? 'UTC' : zone
  const [opened] = useState(() => Date.now())
  const [from, setFrom] = useState(() =>
    toZoned(search.start === undefined ? opened - DAY_MS : Date.parse(search.start), used),
  )
  const [to, setTo] = useState(() => toZoned(search.end === undefined ? opened : Date.parse(search.end), used))
  const [tried, setTried] = useState(false)
  const start = fromZoned(from, used)
  const end = fromZoned(to, used)
  const wrong =
    Number.isNaN(start) || Number.isNaN(end)
      ? 'Give a date and a time.'
      : start < end
        ? undefined
        : 'The end must be after the start.'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Dates"
      size="small"
      onSubmit={() => {
        setTried(true)
        if (wrong !== undefined) return
        onChange({
          start: new Date(start).toISOString(),
          end: new Date(end).toISOString(),
          utc: inUtc ? 'true' : undefined,
        })
        onClose()
      }}
      footer={
        <Button type="submit" variant="primary">
          Show these dates
        </Button>
      }
    >
      <FieldStack>
        <Field label="From">
          <Input type="datetime-local" step={1} value={from} onValueChange={setFrom} />
        </Field>
        <Field label="To" error={tried ? wrong : undefined}>
          <Input type="datetime-local" step={1} value={to} onValueChange={setTo} />
        </Field>
        <Checkbox
          checked={inUtc}
          label="UTC"
          help={inUtc ? `Instead of your time zone, ${zone}.` : `Without it, times are those of ${zone}.`}
          onCheckedChange={(checked) => {
            // The same instants, by the other clock.
            const next = checked ? 'UTC' : zone
            if (!Number.isNaN(start)) setFrom(toZoned(start, next))
            if (!Number.isNaN(end)) setTo(toZoned(end, next))
            setInUtc(checked)
          }}
        />
      </FieldStack>
    </Dialog>
  )
}
