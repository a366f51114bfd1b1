import { useForm } from '../../../lib/use-form.ts'
import { Checkbox, Field, FormDialog, Input } from '../../../ui/index.ts'
import { SORTS } from '../model/stream-choices.ts'
import type { Kept } from '../saved-searches.ts'

const MAX_NAME = 128

/** Asks for the name of a search, its words, and who sees it. */
export function SavedSearchDialog({
  kept,
  isNew,
  mayShare,
  onSave,
  onClose,
}: {
  readonly kept: Kept
  readonly isNew: boolean
  readonly mayShare: boolean
  readonly onSave: (kept: Kept) => Promise<void>
  readonly onClose: () => void
}) {
  const form = useForm<Kept>({
    initial: kept,
    validate: ({ name }) => (name.trim() === '' ? { name: 'Give it a name.' } : {}),
    submit: (values) => onSave({ ...values, name: values.name.trim(), query: values.query.trim() }),
  })
  const { errors, set, values } = form
  const order = SORTS.find(({ value }) => value === values.sort)?.label.toLowerCase() ?? values.sort
  return (
    <FormDialog
      form={form}
      title={isNew ? 'Save this search' : 'Saved search'}
      submitLabel={isNew ? 'Save search' : 'Save changes'}
      onClose={onClose}
    >
      <Field label="Name" error={errors.name}>
        <Input value={values.name} maxLength={MAX_NAME} onValueChange={(name) => set('name', name)} />
      </Field>
      <Field
        label="Search"
        error={errors.query}
        help={`Sorted by ${order}. Projects, environments and dates stay as they are when it is opened.`}
      >
        <Input mono value={values.query} onValueChange={(query) => set('query', query)} />
      </Field>
      {mayShare ? (
        <Checkbox
          checked={values.visibility === 'organization'}
          label="For everybody"
          help="All members of the organisation find it in this menu."
          onCheckedChange={(shared) => set('visibility', shared ? 'organization' : 'owner')}
        />
      ) : null}
    </FormDialog>
  )
}
