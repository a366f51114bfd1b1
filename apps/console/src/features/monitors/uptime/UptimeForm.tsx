import { UPTIME_INTERVALS, type UptimeCheck } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatDuration } from '../../../lib/format.ts'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import type { Form } from '../../../lib/use-form.ts'
import { Button, Field, FieldStack, Input, Notice, Select, Textarea } from '../../../ui/index.ts'
import styles from '../components/MonitorForm.module.css'
import { KEPT, METHODS, uptimeBodyOf, type UptimeValues } from './draft.ts'
import { tryCheck } from './queries.ts'

interface UptimeFormProps {
  readonly org: string
  readonly form: Form<UptimeValues>
  /** Null for a new one. */
  readonly check: UptimeCheck | null
  readonly submit: string
  readonly onCancel: () => void
}

/** Makes or changes an address that is asked, and tries it out. */
export function UptimeForm({ check, form, onCancel, org, submit }: UptimeFormProps) {
  const { busy, errors, failure, set, values } = form
  const { data: projects = [] } = useQuery({ ...projectsQuery(org), enabled: check === null })
  return (
    <form noValidate onSubmit={form.onSubmit} className={styles.form}>
      {failure === undefined ? null : <Notice tone="error">{failure}</Notice>}
      <FieldStack>
        <Field label="Address" error={errors.url}>
          <Input
            mono
            type="url"
            value={values.url}
            onValueChange={(url) => set('url', url)}
            autoFocus={check === null}
          />
        </Field>
        <Field label="Name" optional help="If left empty, the host." error={errors.name}>
          <Input value={values.name} onValueChange={(name) => set('name', name)} />
        </Field>
        {check === null ? (
          <Field label="Project" help="Issues are filed in this project." error={errors.project}>
            <Select
              value={values.project}
              options={projects.map(({ name, slug }) => ({ value: slug, label: name }))}
              onValueChange={(project) => set('project', project)}
            />
          </Field>
        ) : null}
        <div className={styles.pair}>
          <Field label="Method">
            <Select
              value={values.method}
              options={METHODS.map((method) => ({ value: method, label: method }))}
              onValueChange={(method) => set('method', method)}
            />
          </Field>
          <Field label="Every">
            <Select
              value={values.interval}
              options={UPTIME_INTERVALS.map((seconds) => ({
                value: String(seconds),
                label: seconds === 60 ? 'minute' : formatDuration(seconds * 1000),
              }))}
              onValueChange={(interval) => set('interval', interval)}
            />
          </Field>
        </div>
        <ExpectedAnswer form={form} />
        <div className={styles.pair}>
          <Field
            label="An issue after"
            help="Failed checks in a row. A check fails when two more tries fail as well."
            error={errors.failures}
          >
            <Input
              inputMode="numeric"
              value={values.failures}
              onValueChange={(failures) => set('failures', failures)}
            />
          </Field>
          <Field label="Resolved after" help="Good checks in a row." error={errors.recovery}>
            <Input
              inputMode="numeric"
              value={values.recovery}
              onValueChange={(recovery) => set('recovery', recovery)}
            />
          </Field>
        </div>
        <SecretParts form={form} check={check} />
      </FieldStack>
      <Trial org={org} values={values} check={check?.id} />
      <div className={styles.buttons}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** What is sent with a request, and never shown again. */
function SecretParts({ check, form: { errors, set, values } }: Pick<UptimeFormProps, 'check' | 'form'>) {
  return (
    <>
      <Field
        label="Headers"
        optional
        help={
          check === null
            ? 'One per line, as Name: value. Values are kept secret.'
            : `One per line, as Name: value. Values are kept secret: leave ${KEPT} in place of one that does not change.`
        }
        error={errors.headers}
      >
        <Textarea mono value={values.headers} onValueChange={(headers) => set('headers', headers)} />
      </Field>
      <Field
        label="Body"
        optional
        help={
          check?.hasBody === true
            ? `At most 1,024 bytes. It is kept secret: leave ${KEPT} if it does not change.`
            : 'At most 1,024 bytes. It is kept secret.'
        }
        error={errors.body}
      >
        <Textarea mono value={values.body} onValueChange={(body) => set('body', body)} />
      </Field>
    </>
  )
}

/** What an answer has to be to be well. */
function ExpectedAnswer({ form: { errors, set, values } }: { readonly form: Form<UptimeValues> }) {
  const text = (
    name: 'statuses' | 'textPresent' | 'textAbsent' | 'jsonPath' | 'jsonValue' | 'latency' | 'timeout',
    label: string,
    more: { help?: string; optional?: boolean; unit?: string } = {},
  ) => (
    <Field label={label} help={more.help} optional={more.optional === true} error={errors[name]}>
      <Input
        value={values[name]}
        onValueChange={(value) => set(name, value)}
        trailing={more.unit === undefined ? undefined : <span className={styles.unit}>{more.unit}</span>}
      />
    </Field>
  )
  return (
    <div className={styles.schedule}>
      <div className={styles.pair}>
        {text('statuses', 'Status', { help: 'Like 200-299, 401.' })}
        {text('timeout', 'Within', { unit: 's' })}
      </div>
      <div className={styles.pair}>
        {text('textPresent', 'Must contain', { optional: true })}
        {text('textAbsent', 'Must not contain', { optional: true })}
      </div>
      <div className={styles.pair}>
        {text('jsonPath', 'JSON path', { optional: true, help: 'Like status.database.' })}
        {text('jsonValue', 'JSON value', { optional: true, help: 'If left empty, any.' })}
      </div>
      {text('latency', 'No slower than', { optional: true, unit: 'ms' })}
    </div>
  )
}

/** Asks once, now. */
function Trial({
  check,
  org,
  values,
}: {
  readonly org: string
  readonly values: UptimeValues
  readonly check: string | undefined
}) {
  const [state, setState] = useState<{ readonly tone: 'info' | 'error'; readonly text: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const ask = async (): Promise<void> => {
    setBusy(true)
    try {
      const { project: _project, ...body } = uptimeBodyOf(values)
      const { httpStatus, reason, totalMs } = await tryCheck(org, { ...body, ...(check !== undefined && { check }) })
      setState(
        reason === null
          ? { tone: 'info', text: `All is well: ${httpStatus ?? ''} in ${totalMs ?? 0} ms.` }
          : { tone: 'error', text: reason },
      )
    } catch (error) {
      setState({ tone: 'error', text: describeError(error).detail })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div aria-live="polite">
      {state === null ? null : <Notice tone={state.tone}>{state.text}</Notice>}
      <Button size="small" busy={busy} onClick={() => void ask()}>
        Ask it now
      </Button>
    </div>
  )
}
