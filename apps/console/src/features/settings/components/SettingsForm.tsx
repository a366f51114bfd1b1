import type { ReactNode } from 'react'
import type { Form } from '../../../lib/use-form.ts'
import { Button, Field, FieldStack, Input, Notice, Panel, Switch, Textarea } from '../../../ui/index.ts'
import styles from './settings.module.css'

/** What the forms of the settings have in common: a panel, a button that saves, and the sentence when saving failed. */
export function SettingsForm<Values extends object>({
  form,
  title,
  subtitle,
  mayWrite,
  children,
}: {
  readonly form: Form<Values>
  readonly title: string
  readonly subtitle?: string
  readonly mayWrite: boolean
  readonly children: ReactNode
}) {
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Panel
        title={title}
        subtitle={subtitle}
        footer={
          mayWrite ? (
            <Button type="submit" variant="primary" busy={form.busy} disabled={!form.dirty}>
              Save
            </Button>
          ) : undefined
        }
      >
        <FieldStack rows>
          {children}
          {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
        </FieldStack>
      </Panel>
    </form>
  )
}

interface TextProps<Name extends string> {
  readonly form: Pick<Form<Record<Name, string>>, 'values' | 'set' | 'errors'>
  readonly name: Name
  readonly label: string
  readonly help?: ReactNode
  readonly mayWrite: boolean
  readonly mono?: boolean
}

/** One line of text in a form. */
export function TextField<Name extends string>({ form, name, label, help, mayWrite, mono = false }: TextProps<Name>) {
  return (
    <Field label={label} help={help} error={form.errors[name]}>
      <Input
        mono={mono}
        value={form.values[name]}
        disabled={!mayWrite}
        onValueChange={(value) => form.set(name, value)}
      />
    </Field>
  )
}

/** A number in a form, with what it counts. */
export function NumberField<Name extends string>({
  form,
  name,
  label,
  help,
  unit,
  mayWrite,
}: Omit<TextProps<Name>, 'mono'> & { readonly unit?: string }) {
  return (
    <Field label={label} help={help} error={form.errors[name]}>
      <Input
        inputMode="numeric"
        className={styles.short}
        value={form.values[name]}
        disabled={!mayWrite}
        trailing={unit === undefined ? undefined : <span className={styles.unit}>{unit}</span>}
        onValueChange={(value) => form.set(name, value)}
      />
    </Field>
  )
}

/** A list in a form, one entry per line. */
export function LinesField<Name extends string>({
  form,
  name,
  label,
  help,
  mayWrite,
  rows,
  wide = false,
}: Omit<TextProps<Name>, 'mono'> & { readonly rows?: number; readonly wide?: boolean }) {
  return (
    <Field label={label} help={help} error={form.errors[name]} wide={wide}>
      <Textarea
        mono
        {...(rows === undefined ? {} : { rows })}
        value={form.values[name]}
        disabled={!mayWrite}
        onValueChange={(value) => form.set(name, value)}
      />
    </Field>
  )
}

/** Switches that save themselves. */
export function SwitchesPanel<Key extends string>({
  title,
  switches,
  values,
  mayChange,
  onChange,
}: {
  readonly title: string
  readonly switches: readonly { readonly key: Key; readonly label: string; readonly help: string }[]
  readonly values: Readonly<Record<Key, boolean>>
  readonly mayChange: (key: Key) => boolean
  readonly onChange: (key: Key, checked: boolean) => void
}) {
  return (
    <Panel title={title}>
      <div className={styles.switches}>
        {switches.map(({ key, label, help }) => (
          <Switch
            key={key}
            label={label}
            help={help}
            disabled={!mayChange(key)}
            checked={values[key]}
            onCheckedChange={(checked) => onChange(key, checked)}
          />
        ))}
      </div>
    </Panel>
  )
}
