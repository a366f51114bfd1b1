import { ALERT_WINDOWS } from '@firsthand/contract'

import { cx } from '../../../lib/cx.ts'
import { Checkbox, Field, Select } from '../../../ui/index.ts'
import {
  type Comparison,
  type Happened,
  LONGEST_SILENCE,
  type Measured,
  type Silence,
  SILENT_TABLES,
  withQuantity,
} from '../model/draft.ts'
import { fromTyped, type Quantity, QUANTITIES, quantityOf, THINGS, typedOf, typedUnit } from '../model/quantities.ts'
import { AGAINST, HAPPENINGS, lengthText } from '../model/words.ts'
import { NumberField } from './NumberField.tsx'
import styles from './Variables.module.css'

interface FieldsProps<Trigger> {
  readonly trigger: Trigger
  readonly onChange: (trigger: Trigger) => void
}

/** What has to happen: any of what is ticked. */
export function KindFields({ trigger, onChange }: FieldsProps<Happened>) {
  return (
    <fieldset className={cx(styles.set, styles.fields)}>
      <legend className={styles.legend}>Any of these</legend>
      {HAPPENINGS.map(({ kind, label }) => (
        <Checkbox
          key={kind}
          label={label}
          checked={trigger.kinds.includes(kind)}
          onCheckedChange={(checked) => {
            const kinds = checked ? [...trigger.kinds, kind] : trigger.kinds.filter((one) => one !== kind)
            // One that waits for nothing would be none.
            if (kinds.length > 0) onChange({ ...trigger, kinds })
          }}
        />
      ))}
    </fieldset>
  )
}

/** What is measured, and its limit; what it is held against is chosen at the chart. */
export function LimitFields({ trigger, onChange }: FieldsProps<Measured>) {
  const quantity = quantityOf(trigger.dataset, trigger.aggregate)
  return (
    <div className={styles.fields}>
      <QuantityField trigger={trigger} quantity={quantity} onChange={onChange} />
      <ComparisonFields
        comparison={trigger.comparison}
        quantity={quantity}
        onChange={(comparison) => onChange({ ...trigger, comparison })}
      />
    </div>
  )
}

const keyOf = ({ dataset, aggregate }: Pick<Quantity, 'aggregate' | 'dataset'>): string => `${dataset} ${aggregate}`

function QuantityField({ trigger, quantity, onChange }: FieldsProps<Measured> & { readonly quantity: Quantity }) {
  // What came from Explore and is none of the usual ones stays a choice.
  const known = QUANTITIES.some((one) => keyOf(one) === keyOf(quantity)) ? QUANTITIES : [quantity, ...QUANTITIES]
  return (
    <Field label="What is measured">
      <Select
        value={keyOf(trigger)}
        options={known.map((one) => ({
          value: keyOf(one),
          label: one.label,
          hint: `${THINGS[one.dataset]}, ${one.aggregate}`,
        }))}
        onValueChange={(value) => {
          const chosen = known.find((one) => keyOf(one) === value)
          if (chosen === undefined) return
          onChange(withQuantity(trigger, chosen))
        }}
      />
    </Field>
  )
}

const SIDES = [
  { value: 'above', label: 'Above' },
  { value: 'below', label: 'Below' },
] as const

interface ComparisonProps<Compared> {
  readonly comparison: Compared
  readonly quantity: Quantity
  readonly onChange: (comparison: Compared) => void
}

type Fixed = Extract<Comparison, { kind: 'fixed' }>
type Change = Extract<Comparison, { kind: 'change' }>
type Unusual = Extract<Comparison, { kind: 'unusual' }>

function ComparisonFields({ comparison, ...props }: ComparisonProps<Comparison>) {
  if (comparison.kind === 'fixed') return <FixedFields {...props} comparison={comparison} />
  return (
    <>
      {comparison.kind === 'change' ? (
        <ChangeFields {...props} comparison={comparison} />
      ) : (
        <UnusualFields {...props} comparison={comparison} />
      )}
      <FloorField {...props} comparison={comparison} />
      {comparison.kind === 'unusual' ? (
        <p className={styles.note}>
          What is usual is learned from the same hours of the last four weeks. The chart shows it as a band.
        </p>
      ) : null}
    </>
  )
}

function FixedFields({ comparison, quantity, onChange }: ComparisonProps<Fixed>) {
  const unit = typedUnit(quantity)
  const { worseLimit } = comparison
  return (
    <>
      <div className={styles.pair}>
        <Side comparison={comparison} onChange={(direction) => onChange({ ...comparison, direction })} />
        <NumberField
          label="Limit"
          unit={unit}
          value={typedOf(quantity, comparison.limit)}
          onChange={(value) => value !== null && onChange({ ...comparison, limit: fromTyped(quantity, value) })}
        />
      </div>
      <NumberField
        label="It is worse from"
        help="From there on it is told again, also to those who only hear the worst."
        unit={unit}
        optional
        value={worseLimit === null ? null : typedOf(quantity, worseLimit)}
        onChange={(value) =>
          onChange({ ...comparison, worseLimit: value === null ? null : fromTyped(quantity, value) })
        }
      />
    </>
  )
}

function ChangeFields({ comparison, onChange }: ComparisonProps<Change>) {
  return (
    <>
      <div className={styles.pair}>
        <Side comparison={comparison} onChange={(direction) => onChange({ ...comparison, direction })} />
        <NumberField
          label="By"
          unit="%"
          min={1}
          max={100_000}
          value={comparison.percent}
          onChange={(percent) => percent !== null && onChange({ ...comparison, percent })}
        />
      </div>
      <Field label="Than">
        <Select
          value={String(comparison.against)}
          options={AGAINST.map(({ value, label }) => ({ value: String(value), label }))}
          onValueChange={(value) => {
            const against = AGAINST.find((one) => String(one.value) === value)
            if (against !== undefined) onChange({ ...comparison, against: against.value })
          }}
        />
      </Field>
    </>
  )
}

function UnusualFields({ comparison, onChange }: ComparisonProps<Unusual>) {
  return (
    <div className={styles.pair}>
      <Field label="Side">
        <Select
          value={comparison.direction}
          options={[...SIDES, { value: 'both', label: 'Both' }]}
          onValueChange={(direction) => onChange({ ...comparison, direction })}
        />
      </Field>
      <Field label="How soon">
        <Select
          value={comparison.sensitivity}
          options={[
            { value: 'sensitive', label: 'Sensitive' },
            { value: 'normal', label: 'Normal' },
            { value: 'calm', label: 'Calm' },
          ]}
          onValueChange={(sensitivity) => onChange({ ...comparison, sensitivity })}
        />
      </Field>
    </div>
  )
}

function FloorField({ comparison, quantity, onChange }: ComparisonProps<Change | Unusual>) {
  return (
    <NumberField
      label="Only from"
      help="What is less is not worth a message, however much it changed."
      unit={typedUnit(quantity)}
      min={0}
      value={typedOf(quantity, comparison.floor)}
      onChange={(value) => onChange({ ...comparison, floor: fromTyped(quantity, value ?? 0) })}
    />
  )
}

function Side({
  comparison,
  onChange,
}: {
  readonly comparison: { readonly direction: 'above' | 'below' }
  readonly onChange: (direction: 'above' | 'below') => void
}) {
  return (
    <Field label="Side">
      <Select value={comparison.direction} options={SIDES} onValueChange={onChange} />
    </Field>
  )
}

export function WindowFields({ trigger, onChange }: FieldsProps<Measured>) {
  return (
    <div className={styles.fields}>
      <Field label="Counted over" help="It slides along, minute by minute.">
        <Select
          value={String(trigger.windowMinutes)}
          options={ALERT_WINDOWS.map((minutes) => ({ value: String(minutes), label: lengthText(minutes) }))}
          onValueChange={(value) => {
            const windowMinutes = ALERT_WINDOWS.find((minutes) => String(minutes) === value)
            if (windowMinutes !== undefined) onChange({ ...trigger, windowMinutes })
          }}
        />
      </Field>
    </div>
  )
}

export function LeastFields({ trigger, onChange }: FieldsProps<Measured>) {
  return (
    <div className={styles.fields}>
      <NumberField
        label="At least"
        help="Of fewer nothing is said, whatever their share is."
        unit={THINGS[trigger.dataset]}
        whole
        min={0}
        max={1_000_000_000}
        value={trigger.least}
        onChange={(least) => least !== null && onChange({ ...trigger, least })}
      />
    </div>
  )
}

export function SilenceFields({ trigger, onChange }: FieldsProps<Silence>) {
  return (
    <div className={styles.fields}>
      <Field label="What has to come">
        <Select
          value={trigger.dataset}
          options={SILENT_TABLES.map((value) => ({
            value,
            label: THINGS[value],
          }))}
          onValueChange={(dataset) => onChange({ ...trigger, dataset, groupBy: [] })}
        />
      </Field>
      <NumberField
        label="For so long nothing came"
        unit="minutes"
        whole
        min={1}
        max={LONGEST_SILENCE}
        value={trigger.minutes}
        onChange={(minutes) => minutes !== null && onChange({ ...trigger, minutes })}
      />
    </div>
  )
}

export function RecoveryFields({ trigger, onChange }: FieldsProps<Measured>) {
  const { comparison, recovery } = trigger
  const quantity = quantityOf(trigger.dataset, trigger.aggregate)
  return (
    <div className={styles.fields}>
      {comparison.kind === 'fixed' ? (
        <NumberField
          label={comparison.direction === 'above' ? 'All clear at or below' : 'All clear at or above'}
          help="If left empty, the limit itself."
          unit={typedUnit(quantity)}
          optional
          value={recovery.limit === null ? null : typedOf(quantity, recovery.limit)}
          onChange={(value) =>
            onChange({
              ...trigger,
              recovery: { ...recovery, limit: value === null ? null : fromTyped(quantity, value) },
            })
          }
        />
      ) : null}
      <NumberField
        label="For"
        unit="minutes"
        whole
        min={0}
        max={1440}
        value={recovery.minutes}
        onChange={(minutes) => minutes !== null && onChange({ ...trigger, recovery: { ...recovery, minutes } })}
      />
    </div>
  )
}
