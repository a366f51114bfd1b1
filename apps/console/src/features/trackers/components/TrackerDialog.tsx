import { createTracker, updateTracker, type Tracker, type TrackerWithSecret } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { useForm, type Form } from '../../../lib/use-form.ts'
import { Field, FormDialog, Input, Select } from '../../../ui/index.ts'
import { addressOf, fieldsOf, problemsOf, startOf, type FieldName, type TrackerForm } from '../model/form.ts'
import { KIND_NAMES, KINDS, type KindField } from '../model/kinds.ts'
import { trackersKey } from '../query-keys.ts'

const KIND_OPTIONS = KIND_NAMES.map((kind) => ({ value: kind, label: KINDS[kind].label }))

/** Connects a tracker, or changes a connection whose secrets stay unless somebody enters new ones. */
export function TrackerDialog({
  org,
  tracker,
  onSaved,
  onClose,
}: {
  readonly org: string
  /** Null: a new one. */
  readonly tracker: Tracker | null
  /** With the new connection; null where one was changed. */
  readonly onSaved: (made: TrackerWithSecret | null) => void
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const isNew = tracker === null
  const form = useForm<TrackerForm>({
    initial: startOf(tracker),
    validate: (values) => problemsOf(values, isNew),
    submit: async (values) => {
      const { kind, name } = values
      const fields = fieldsOf(values, isNew)
      const made = isNew
        ? await api.call(createTracker, { params: { org }, body: { kind, name, ...fields } })
        : (await api.call(updateTracker, {
            params: { org, tracker: tracker.id },
            body: { name, ...fields, version: tracker.version },
          }),
          null)
      await client.invalidateQueries({ queryKey: trackersKey(org) })
      onSaved(made)
    },
  })
  const { kind } = form.values
  const words = KINDS[kind]
  return (
    <FormDialog
      form={form}
      title={isNew ? 'Connect an issue tracker' : `Change ${tracker.name}`}
      description={words.help}
      submitLabel={isNew ? 'Connect' : 'Save'}
      onClose={onClose}
    >
      {isNew ? (
        <Field label="Kind">
          <Select
            value={kind}
            onValueChange={(value) => {
              form.set('kind', value)
              form.set('url', addressOf(value))
            }}
            options={KIND_OPTIONS}
          />
        </Field>
      ) : null}
      <Field label="Name" error={form.errors.name} help="As people choose it on an issue.">
        <Input placeholder="Shop" value={form.values.name} onValueChange={(value) => form.set('name', value)} />
      </Field>
      {words.fields.map((field) => (
        <KindFieldInput key={`${kind} ${field.name}`} field={field} form={form} isNew={isNew} />
      ))}
    </FormDialog>
  )
}

function KindFieldInput({
  field,
  form,
  isNew,
}: {
  readonly field: KindField
  readonly form: Form<TrackerForm>
  readonly isNew: boolean
}) {
  const name = field.name as FieldName
  const value = form.values[name]
  const change = (next: string): void => form.set(name, next)
  const isKept = !isNew && field.place === 'secrets'
  const placeholder = isKept ? 'Unchanged' : field.placeholder
  return (
    <Field
      label={field.label}
      error={form.errors[name]}
      optional={field.optional === true || isKept}
      help={isKept ? 'It is not shown. Leave it empty to keep it; another address needs it again.' : field.help}
    >
      {field.choices === undefined ? (
        <Input
          mono={field.place === 'secrets'}
          value={value}
          onValueChange={change}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      ) : (
        <Select value={value} onValueChange={change} options={field.choices} />
      )}
    </Field>
  )
}
