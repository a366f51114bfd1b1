import type { Monitor } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { membersQuery, teamsQuery } from '../../../lib/organization-queries.ts'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import type { Form } from '../../../lib/use-form.ts'
import { Button, Field, FieldStack, Input, Notice, SegmentedControl, Select } from '../../../ui/index.ts'
import { INTERVAL_UNITS, type MonitorValues } from '../model/draft.ts'
import styles from './MonitorForm.module.css'
import { ScheduleMeaning } from './ScheduleMeaning.tsx'

interface MonitorFormProps {
  readonly org: string
  readonly form: Form<MonitorValues>
  /** Null for a new one. */
  readonly monitor: Monitor | null
  readonly submit: string
  readonly onCancel: () => void
}

/** Makes or changes a monitor: its schedule in words, with the next times, while one types. */
export function MonitorForm({ form, monitor, onCancel, org, submit }: MonitorFormProps) {
  const { busy, errors, failure, set, values } = form
  const { data: projects = [] } = useQuery({ ...projectsQuery(org), enabled: monitor === null })
  const number = (
    name: 'margin' | 'maxRuntime' | 'failures' | 'recovery',
    label: string,
    help: string,
    unit: string,
  ) => (
    <Field label={label} help={help} error={errors[name]}>
      <Input
        inputMode="numeric"
        value={values[name]}
        onValueChange={(value) => set(name, value)}
        trailing={<span className={styles.unit}>{unit}</span>}
      />
    </Field>
  )
  return (
    <form noValidate onSubmit={form.onSubmit} className={styles.form}>
      {failure === undefined ? null : <Notice tone="error">{failure}</Notice>}
      <FieldStack>
        <Field label="Name" help="What people read." error={errors.name}>
          <Input value={values.name} onValueChange={(name) => set('name', name)} autoFocus={monitor === null} />
        </Field>
        <Field label="Slug" help="What the job says when it checks in." error={errors.slug}>
          <Input mono value={values.slug} onValueChange={(slug) => set('slug', slug)} />
        </Field>
        {monitor === null ? (
          <Field label="Project" error={errors.project}>
            <Select
              value={values.project}
              options={projects.map(({ name, slug }) => ({ value: slug, label: name }))}
              onValueChange={(project) => set('project', project)}
            />
          </Field>
        ) : null}
        <ScheduleFields org={org} form={form} />
        <div className={styles.pair}>
          {number('margin', 'Margin', 'A run that did not come by then is missed.', 'min')}
          {number('maxRuntime', 'Longest run time', 'A run that is not over by then has timed out.', 'min')}
        </div>
        <div className={styles.pair}>
          {number('failures', 'An issue after', 'Failed, missed or timed out in a row.', 'runs')}
          {number('recovery', 'Resolved after', 'Good ones in a row.', 'runs')}
        </div>
        {monitor === null ? null : (
          <Field
            label="The schedule is set by"
            help="Check-ins that send another one change it, or are left alone where people set it."
          >
            <Select
              value={values.setBy}
              options={[
                { value: 'here', label: 'People, here' },
                { value: 'check-ins', label: 'Check-ins' },
              ]}
              onValueChange={(setBy) => set('setBy', setBy)}
            />
          </Field>
        )}
        <OwnerField org={org} value={values.owner} error={errors.owner} onChange={(owner) => set('owner', owner)} />
        <div className={styles.pair}>
          <Field label="Muted each day from" optional help="On the monitor’s own clock." error={errors.mutedFrom}>
            <Input type="time" value={values.mutedFrom} onValueChange={(from) => set('mutedFrom', from)} />
          </Field>
          <Field label="to" optional error={errors.mutedTo}>
            <Input type="time" value={values.mutedTo} onValueChange={(to) => set('mutedTo', to)} />
          </Field>
        </div>
      </FieldStack>
      <div className={styles.buttons}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** When it has to run. */
function ScheduleFields({
  form: { errors, set, values },
  org,
}: {
  readonly org: string
  readonly form: Form<MonitorValues>
}) {
  return (
    <div className={styles.schedule}>
      <div>
        <SegmentedControl
          aria-label="Kind of schedule"
          value={values.kind}
          options={[
            { value: 'crontab', label: 'Crontab' },
            { value: 'interval', label: 'Interval' },
          ]}
          onValueChange={(kind) => set('kind', kind)}
        />
      </div>
      {values.kind === 'crontab' ? (
        <Field label="Schedule" help="Minute, hour, day, month, weekday." error={errors.line}>
          <Input mono value={values.line} onValueChange={(line) => set('line', line)} placeholder="0 3 * * *" />
        </Field>
      ) : (
        <div className={styles.pair}>
          <Field label="Every" error={errors.count}>
            <Input inputMode="numeric" value={values.count} onValueChange={(count) => set('count', count)} />
          </Field>
          <Field label="Unit">
            <Select
              value={values.unit}
              options={INTERVAL_UNITS.map((unit) => ({ value: unit, label: `${unit}s` }))}
              onValueChange={(unit) => set('unit', unit)}
            />
          </Field>
        </div>
      )}
      <Field label="Time zone" help="A name, as Europe/Berlin, or UTC." error={errors.timezone}>
        <Input list="monitor-zones" value={values.timezone} onValueChange={(timezone) => set('timezone', timezone)} />
      </Field>
      <datalist id="monitor-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
      <ScheduleMeaning org={org} values={values} />
    </div>
  )
}

const NOBODY = 'nobody'

function OwnerField({
  error,
  onChange,
  org,
  value,
}: {
  readonly org: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (owner: string) => void
}) {
  const { data: members = [] } = useQuery(membersQuery(org))
  const { data: teams = [] } = useQuery(teamsQuery(org))
  const options = [
    { value: NOBODY, label: 'Nobody' },
    ...teams.map(({ id, name }) => ({ value: `team:${id}`, label: name })),
    ...members.flatMap(({ user }) => (user === null ? [] : [{ value: `user:${user.id}`, label: user.name }])),
  ]
  return (
    <Field label="Owner" help="Gets its issue when it fails." error={error}>
      <Select
        value={value === '' ? NOBODY : value}
        options={options}
        onValueChange={(owner) => onChange(owner === NOBODY ? '' : owner)}
      />
    </Field>
  )
}
