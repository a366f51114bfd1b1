import type { NoticeSettings } from '@firsthand/contract'
import { useMemo } from 'react'
import { deviceTimeZone } from '../../../lib/moments.ts'
import { Button, ChevronDownIcon, Field, Input, Panel, Picker, Select, Switch } from '../../../ui/index.ts'
import type { SettingsChange } from './use-notice-settings.ts'
import styles from './Notifications.module.css'

type Quiet = NonNullable<NoticeSettings['quiet']>

/** From ten in the evening to seven in the morning. */
const USUAL: Quiet = { from: 22 * 60, to: 7 * 60, weekends: true, highMayPass: true }

const PACES = [
  { value: '15', label: 'every 15 minutes', minutes: 15 },
  { value: '60', label: 'every hour', minutes: 60 },
  { value: '1440', label: 'once a day', minutes: 1440 },
] as const

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Null while it is not written to its end. */
const minutesOf = (text: string): number | null => {
  const [hours, minutes] = text.split(':').map(Number)
  return hours === undefined || minutes === undefined || Number.isNaN(hours + minutes) ? null : hours * 60 + minutes
}

/** When mail comes: how often what is gathered does, and in which hours none. */
export function Timing({
  settings,
  timezone,
  onChange,
}: {
  readonly settings: NoticeSettings
  /** That counts. */
  readonly timezone: string
  readonly onChange: SettingsChange
}) {
  const { quiet } = settings
  const zone = settings.timezone === '' ? timezone : settings.timezone
  const zones = useMemo(
    () =>
      ['UTC', ...Intl.supportedValuesOf('timeZone').filter((one) => one !== 'UTC')].map((value) => ({
        value,
        label: value.replaceAll('_', ' '),
        ...(value === deviceTimeZone() && { hint: 'this device' }),
      })),
    [],
  )
  const choose = (value: string): void =>
    onChange({ timezone: value }, `Your time zone is ${value.replaceAll('_', ' ')}`)
  const set = (more: Partial<Quiet>, words: string): void =>
    onChange({ quiet: { ...(quiet ?? USUAL), ...more } }, words)
  return (
    <Panel title="When mail comes">
      <div className={styles.timing}>
        <div className={styles.line}>
          <div>
            <p className={styles.name}>Gathered mail</p>
            <p className={styles.help}>The first comes at once; what follows comes together.</p>
          </div>
          <Select
            look="bar"
            aria-label="Gathered mail comes at most"
            options={PACES}
            value={PACES.find(({ minutes }) => minutes === settings.digestMinutes)?.value ?? '15'}
            onValueChange={(value) => {
              const pace = PACES.find((one) => one.value === value)
              if (pace !== undefined) onChange({ digestMinutes: pace.minutes }, `Gathered mail comes ${pace.label}`)
            }}
          />
        </div>
        <div className={styles.line}>
          <div>
            <p className={styles.name}>Time zone</p>
            <p className={styles.help}>For quiet hours and the weekly report.</p>
            {settings.timezone === '' && deviceTimeZone() !== zone ? (
              <p className={styles.help}>
                This browser is in {deviceTimeZone().replaceAll('_', ' ')}.{' '}
                <Button size="small" onClick={() => choose(deviceTimeZone())}>
                  Use that
                </Button>
              </p>
            ) : null}
          </div>
          <Picker
            label="Time zone of your notifications"
            emptyText="No time zone has that name."
            align="end"
            options={zones}
            value={zone}
            onPick={choose}
            trigger={
              <Button aria-label={`Time zone of your notifications: ${zone}`}>
                {zone.replaceAll('_', ' ')}
                <ChevronDownIcon size={14} />
              </Button>
            }
          />
        </div>
        <Switch
          label="Quiet hours"
          help="No mail comes in them; what happened comes as one when they end. Your inbox fills all the same."
          checked={quiet !== null}
          onCheckedChange={(isOn) =>
            onChange({ quiet: isOn ? USUAL : null }, isOn ? 'Quiet hours are on' : 'Quiet hours are off')
          }
        />
        {quiet === null ? null : <Hours quiet={quiet} onSet={set} />}
      </div>
    </Panel>
  )
}

/** From when to when, on which days, and what passes. */
function Hours({
  quiet,
  onSet,
}: {
  readonly quiet: Quiet
  readonly onSet: (more: Partial<Quiet>, words: string) => void
}) {
  return (
    <div className={styles.quiet}>
      <Field label="From">
        <Input
          key={quiet.from}
          type="time"
          defaultValue={clock(quiet.from)}
          onBlur={({ target }) => {
            const from = minutesOf(target.value)
            if (from !== null && from !== quiet.from) onSet({ from }, `Quiet from ${clock(from)} on`)
          }}
        />
      </Field>
      <Field label="To">
        <Input
          key={quiet.to}
          type="time"
          defaultValue={clock(quiet.to)}
          onBlur={({ target }) => {
            const to = minutesOf(target.value)
            if (to !== null && to !== quiet.to) onSet({ to }, `Quiet until ${clock(to)}`)
          }}
        />
      </Field>
      <div className={styles.switches}>
        <Switch
          label="Saturday and Sunday as well"
          checked={quiet.weekends}
          onCheckedChange={(weekends) =>
            onSet({ weekends }, weekends ? 'Weekends are quiet' : 'Weekends are like other days')
          }
        />
        <Switch
          label="High priority may pass"
          help="Every error is of high priority by its level, so most alerts about errors pass. So do alerts about a value far beyond its limit, and issues of high priority that are new, or that you follow and that came back or got worse."
          checked={quiet.highMayPass}
          onCheckedChange={(highMayPass) =>
            onSet({ highMayPass }, highMayPass ? 'High priority passes quiet hours' : 'Nothing passes quiet hours')
          }
        />
      </div>
    </div>
  )
}
