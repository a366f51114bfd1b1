import { createChannel, updateChannel, type Channel, type ChannelWithSecret } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { useForm, type Form } from '../../../lib/use-form.ts'
import { Field, FormDialog, Input, Select, Textarea } from '../../../ui/index.ts'
import { fieldsOf, problemsOf, startOf, type ChannelForm, type FieldName } from '../model/form.ts'
import { KIND_NAMES, KINDS, type KindField } from '../model/kinds.ts'
import { channelsKey } from '../queries.ts'

const KIND_OPTIONS = KIND_NAMES.map((kind) => ({ value: kind, label: KINDS[kind].label }))

/** Adds a channel, or changes one whose secrets stay unless somebody enters new ones. */
export function ChannelDialog({
  org,
  channel,
  onSaved,
  onClose,
}: {
  readonly org: string
  /** Null: a new one. */
  readonly channel: Channel | null
  /** With the new channel; null where one was changed. */
  readonly onSaved: (made: ChannelWithSecret | null) => void
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const isNew = channel === null
  const form = useForm<ChannelForm>({
    initial: startOf(channel),
    validate: (values) => problemsOf(values, isNew),
    submit: async (values) => {
      const { kind, name } = values
      const fields = fieldsOf(values, isNew)
      const made = isNew
        ? await api.call(createChannel, { params: { org }, body: { kind, name, ...fields } })
        : (await api.call(updateChannel, {
            params: { org, channel: channel.id },
            body: { name, ...fields, version: channel.version },
          }),
          null)
      await client.invalidateQueries({ queryKey: channelsKey(org) })
      onSaved(made)
    },
  })
  const { kind } = form.values
  const words = KINDS[kind]
  return (
    <FormDialog
      form={form}
      title={isNew ? 'New channel' : `Change ${channel.name}`}
      description={words.help}
      submitLabel={isNew ? 'Add channel' : 'Save'}
      onClose={onClose}
    >
      {isNew ? (
        <Field label="Kind">
          <Select value={kind} onValueChange={(value) => form.set('kind', value)} options={KIND_OPTIONS} />
        </Field>
      ) : null}
      <Field label="Name" error={form.errors.name} help="As rules and messages call it.">
        <Input placeholder="#shop-alerts" value={form.values.name} onValueChange={(value) => form.set('name', value)} />
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
  readonly form: Form<ChannelForm>
  readonly isNew: boolean
}) {
  const name = field.name as FieldName
  const value = form.values[name]
  const change = (next: string): void => form.set(name, next)
  const isKept = !isNew && field.place === 'secrets'
  const placeholder = isKept ? 'Unchanged' : field.placeholder
  const placing = placeholder === undefined ? {} : { placeholder }
  return (
    <Field
      label={field.label}
      error={form.errors[name]}
      optional={field.optional === true || isKept}
      help={isKept ? 'It is not shown. Leave it empty to keep it.' : field.help}
    >
      {field.form === 'lines' ? (
        <Textarea value={value} onValueChange={change} {...placing} />
      ) : field.form === undefined ? (
        <Input mono={field.place === 'secrets'} value={value} onValueChange={change} {...placing} />
      ) : (
        <Select value={value} onValueChange={change} options={field.form.choices} />
      )}
    </Field>
  )
}
