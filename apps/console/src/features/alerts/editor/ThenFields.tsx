import type { AlertConditions, AlertDraft } from '@firsthand/contract'

import { timeZone } from '../../../lib/moments.ts'
import { Checkbox, Field, Input, Select, Switch } from '../../../ui/index.ts'
import { DAYS, lengthText } from '../model/words.ts'
import { NumberField } from './NumberField.tsx'
import styles from './Variables.module.css'

interface Props {
  readonly draft: AlertDraft
  readonly onChange: (part: Partial<AlertDraft>) => void
}

const WORKING_DAYS = [1, 2, 3, 4, 5]
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** When it may speak. */
export function HourFields({ draft, onChange }: Props) {
  const { hours } = draft.conditions
  const put = (next: AlertConditions['hours']) => onChange({ conditions: { ...draft.conditions, hours: next } })
  return (
    <div className={styles.fields}>
      <Switch
        label="At any hour"
        checked={hours === null}
        onCheckedChange={(any) =>
          put(any ? null : { timezone: timeZone(), days: WORKING_DAYS, from: '09:00', to: '18:00' })
        }
      />
      {hours === null ? null : (
        <>
          <fieldset className={styles.set}>
            <legend className={styles.legend}>On</legend>
            <div className={styles.days}>
              {DAYS.map((name, place) => {
                const day = place + 1
                return (
                  <Checkbox
                    key={name}
                    label={name}
                    checked={hours.days.includes(day)}
                    onCheckedChange={(checked) => {
                      const days = checked ? [...hours.days, day] : hours.days.filter((one) => one !== day)
                      if (days.length > 0) put({ ...hours, days: days.toSorted((a, b) => a - b) })
                    }}
                  />
                )
              })}
            </div>
          </fieldset>
          <div className={styles.pair}>
            <Field label="From">
              <Input
                type="time"
                value={hours.from}
                onValueChange={(from) => TIME.test(from) && put({ ...hours, from })}
              />
            </Field>
            <Field label="To">
              <Input type="time" value={hours.to} onValueChange={(to) => TIME.test(to) && put({ ...hours, to })} />
            </Field>
          </div>
          <p className={styles.note}>
            In {hours.timezone}. What happens at other hours is evaluated and kept, but nobody is told.
          </p>
        </>
      )}
    </div>
  )
}

const FREQUENCIES = [0, 5, 10, 30, 60, 240, 1440, 10_080]

/** How often the same thing is told again, and how much at most. */
export function FrequencyFields({ draft, onChange }: Props) {
  const known = FREQUENCIES.includes(draft.frequencyMinutes)
    ? FREQUENCIES
    : [...FREQUENCIES, draft.frequencyMinutes].toSorted((a, b) => a - b)
  return (
    <div className={styles.fields}>
      <Field
        label="The same thing is told again"
        help="The same issue, or the same group. Updates of an incident go into its thread."
      >
        <Select
          value={String(draft.frequencyMinutes)}
          options={known.map((minutes) => ({
            value: String(minutes),
            label: minutes === 0 ? 'every time' : `after ${lengthText(minutes)}`,
          }))}
          onValueChange={(value) => onChange({ frequencyMinutes: Number(value) })}
        />
      </Field>
      <NumberField
        label="Messages in an hour, at most"
        help="Beyond that one message says how many were held back."
        whole
        min={1}
        max={60}
        value={draft.maxMessagesPerHour}
        onChange={(most) => most !== null && onChange({ maxMessagesPerHour: most })}
      />
    </div>
  )
}

const AGES = [0, 10, 60, 1440, 10_080]

export function AgeFields({ draft, onChange }: Props) {
  const { conditions } = draft
  const age = conditions.minimumAgeMinutes
  const known = AGES.includes(age) ? AGES : [...AGES, age].toSorted((a, b) => a - b)
  return (
    <div className={styles.fields}>
      <Field label="The issue is at least">
        <Select
          value={String(age)}
          options={known.map((minutes) => ({
            value: String(minutes),
            label: minutes === 0 ? 'however old' : `${lengthText(minutes)} old`,
          }))}
          onValueChange={(value) => onChange({ conditions: { ...conditions, minimumAgeMinutes: Number(value) } })}
        />
      </Field>
    </div>
  )
}
