import { updateMe, type User } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api, describeError } from '../../../lib/api.ts'
import { deviceTimeZone, formatMoment } from '../../../lib/moments.ts'
import { useNow } from '../../../lib/now.ts'
import { applyPreferences } from '../../../lib/preferences.ts'
import { sessionQuery } from '../../../lib/shared-queries.ts'
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../../../lib/theme.ts'
import { showAtOnce } from '../../../lib/shown-data.ts'
import {
  allowSingleKeys,
  Button,
  ChevronDownIcon,
  Panel,
  Picker,
  SegmentedControl,
  Switch,
  toast,
  useSingleKeysAllowed,
} from '../../../ui/index.ts'
import styles from './AccountScreen.module.css'

type Options = User['options']

/** How the console looks to one person: theme, time zone and clock go with the account, keys stay on the device. */
export function Looks({ user }: { readonly user: User }) {
  const queryClient = useQueryClient()
  const theme = useThemeChoice()
  const singleKeys = useSingleKeysAllowed()
  const { timezone, clock24Hours, feedbackButton } = user.options
  const zones = useMemo(() => zoneOptions(), [])

  const show = (changed: Partial<Options>): void => {
    const now = queryClient.getQueryData(sessionQuery.queryKey)?.user?.options ?? user.options
    const options = { ...now, ...changed }
    applyPreferences(options)
    showAtOnce(queryClient, sessionQuery.queryKey, (old) =>
      old === undefined || old.user === null ? old : { ...old, user: { ...old.user, options } },
    )
  }
  /** Holds at once; takes it back when the account could not keep it, unless `failure` says what holds then. */
  const change = (options: Partial<Options>, failure?: string): void => {
    const before = user.options
    if (failure === undefined) show(options)
    // Of the answer only what was asked for: answers to two changes may come in any order.
    const own = (all: Options): Partial<Options> =>
      Object.fromEntries(Object.entries(all).filter(([name]) => name in options))
    api.call(updateMe, { body: { options } }).then(
      (saved) => show(own(saved.options)),
      (error: unknown) => {
        if (failure === undefined) show(own(before))
        const { detail } = describeError(error)
        toast({ title: failure ?? 'The setting could not be saved', description: detail, tone: 'error' })
      },
    )
  }
  const changeTheme = (next: ThemeChoice): void => {
    chooseTheme(next)
    change({ theme: next }, 'The theme was saved on this device only')
  }

  return (
    <Panel title="Display and keyboard">
      <div className={styles.looks}>
        <div className={styles.line}>
          <div>
            <p className={styles.name}>Theme</p>
            <p className={styles.sub}>Follows your device unless you choose one.</p>
          </div>
          <SegmentedControl
            aria-label="Theme"
            value={theme}
            onValueChange={changeTheme}
            options={[
              { value: 'system', label: 'Same as device' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
        </div>
        <div className={styles.line}>
          <div>
            <p className={styles.name}>Time zone</p>
            <p className={styles.sub}>
              For every time shown here. It is now <Clock key={`${timezone} ${clock24Hours}`} />.
            </p>
          </div>
          <Picker
            label="Time zone"
            emptyText="No time zone has that name."
            align="end"
            options={zones}
            value={timezone === '' ? DEVICE : timezone}
            onPick={(zone) => change({ timezone: zone === DEVICE ? '' : zone })}
            trigger={
              <Button aria-label={`Time zone: ${timezone === '' ? 'same as device' : timezone}`}>
                {timezone === '' ? 'Same as device' : zoneName(timezone)}
                <ChevronDownIcon size={14} />
              </Button>
            }
          />
        </div>
        <Switch
          label="24-hour clock"
          help="23:16 instead of 11:16 pm."
          checked={clock24Hours}
          onCheckedChange={(checked) => change({ clock24Hours: checked })}
        />
        <Switch
          label="Feedback button"
          help="Lies over every page, for reporting a problem with this console. Your account menu has it in any case."
          checked={feedbackButton}
          onCheckedChange={(checked) => change({ feedbackButton: checked })}
        />
        <Switch
          label="Single-key shortcuts"
          help="j, k, e and so on. Press ? anywhere for the list. Saved on this device."
          checked={singleKeys}
          onCheckedChange={allowSingleKeys}
        />
      </div>
    </Panel>
  )
}

function Clock() {
  return <time>{formatMoment('exact', useNow())}</time>
}

/** Stands for '' in the list, whose values are not empty. */
const DEVICE = 'device'

const zoneName = (zone: string): string => zone.replaceAll('_', ' ')

function zoneOptions() {
  return [
    { value: DEVICE, label: 'Same as device', hint: deviceTimeZone() },
    ...['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((zone) => ({
      value: zone,
      label: zoneName(zone),
    })),
  ]
}
