import type { BodyInput, createStatusIncident } from '@firsthand/contract'

import { useForm } from '../../../lib/use-form.ts'
import { Button, Checkbox, Field, FieldStack, Input, Notice, Select, Textarea } from '../../../ui/index.ts'
import styles from './StatusPageScreen.module.css'

type Body = BodyInput<typeof createStatusIncident>

interface SayFormProps {
  readonly kind: 'incident' | 'maintenance'
  readonly components: readonly string[]
  readonly onSay: (body: Body) => Promise<void>
  readonly onCancel: () => void
}

const IMPACTS = [
  { value: 'none', label: 'None' },
  { value: 'minor', label: 'Minor' },
  { value: 'major', label: 'Major' },
  { value: 'critical', label: 'Critical' },
] as const

interface Values {
  readonly title: string
  readonly text: string
  readonly impact: (typeof IMPACTS)[number]['value']
  /** Names. */
  readonly components: readonly string[]
  /** As the field has it, by the clock of the reader. */
  readonly startsAt: string
  readonly endsAt: string
  readonly isPublished: boolean
}

/** Writes an incident, or announces work. */
export function SayForm({ components, kind, onCancel, onSay }: SayFormProps) {
  const form = useForm<Values>({
    initial: {
      title: '',
      text: '',
      impact: 'minor',
      components: [],
      startsAt: '',
      endsAt: '',
      isPublished: false,
    },
    validate: ({ endsAt, startsAt, text, title }) => ({
      ...(title.trim() === '' && { title: 'Give it a title.' }),
      ...(text.trim() === '' && { text: 'Say something.' }),
      ...(kind === 'maintenance' && startsAt === '' && { startsAt: 'When does it begin?' }),
      ...(kind === 'maintenance' && !(endsAt > startsAt) && { endsAt: 'It ends after it begins.' }),
    }),
    submit: ({ components: about, endsAt, startsAt, ...values }) =>
      onSay({
        ...values,
        kind,
        components: [...about],
        ...(kind === 'maintenance' && {
          startsAt: new Date(startsAt).toISOString(),
          endsAt: new Date(endsAt).toISOString(),
        }),
      }),
  })
  const { busy, errors, failure, set, values } = form
  return (
    <form noValidate onSubmit={form.onSubmit} className={styles.form}>
      {failure === undefined ? null : <Notice tone="error">{failure}</Notice>}
      <FieldStack>
        <Field label="Title" error={errors.title}>
          <Input autoFocus value={values.title} onValueChange={(title) => set('title', title)} />
        </Field>
        <Field label="Text" error={errors.text}>
          <Textarea value={values.text} onValueChange={(text) => set('text', text)} />
        </Field>
        {kind === 'incident' ? (
          <Field label="Impact">
            <Select value={values.impact} options={IMPACTS} onValueChange={(impact) => set('impact', impact)} />
          </Field>
        ) : (
          <>
            <Field label="Begins" error={errors.startsAt}>
              <Input type="datetime-local" value={values.startsAt} onValueChange={(at) => set('startsAt', at)} />
            </Field>
            <Field label="Ends" help="It is over by itself then." error={errors.endsAt}>
              <Input type="datetime-local" value={values.endsAt} onValueChange={(at) => set('endsAt', at)} />
            </Field>
          </>
        )}
        {components.length === 0 ? null : (
          <fieldset className={styles.components}>
            <legend className={styles.legend}>
              Systems <span className={styles.optional}>(optional)</span>
            </legend>
            {components.map((name) => (
              <Checkbox
                key={name}
                label={name}
                checked={values.components.includes(name)}
                onCheckedChange={(isAbout) =>
                  set(
                    'components',
                    components.filter((one) => (one === name ? isAbout : values.components.includes(one))),
                  )
                }
              />
            ))}
          </fieldset>
        )}
        <Checkbox
          label="Publish it at once"
          checked={values.isPublished}
          onCheckedChange={(isPublished) => set('isPublished', isPublished)}
        />
      </FieldStack>
      <div className={styles.buttons}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {values.isPublished ? 'Publish' : 'Keep as a draft'}
        </Button>
      </div>
    </form>
  )
}
