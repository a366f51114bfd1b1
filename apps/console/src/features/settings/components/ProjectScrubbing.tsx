import type { Project } from '@firsthand/contract'
import { useForm } from '../../../lib/use-form.ts'
import { Button, Field, FieldStack, Notice, Panel, Switch, Textarea, toast } from '../../../ui/index.ts'
import { checkLines, fromLines, toLines } from '../model/lines.ts'
import { useSaveProject, useToggleProject } from './use-save-project.ts'
import styles from './settings.module.css'

const SWITCHES = [
  {
    key: 'enabled',
    label: 'Scrub on this server',
    help: 'Takes sensitive values out before anything is stored. What is taken out cannot be brought back.',
  },
  {
    key: 'defaults',
    label: 'Sentry’s default rules',
    help: 'Passwords, secrets, tokens, credit cards, private keys and social security numbers, by name and by shape.',
  },
  { key: 'ipAddresses', label: 'IP addresses', help: 'Stores no address of any visitor.' },
] as const

/** What is taken out of events before they are stored. */
export function ProjectScrubbing({
  org,
  project,
  mayWrite,
}: {
  readonly org: string
  readonly project: Project
  readonly mayWrite: boolean
}) {
  const save = useSaveProject(org, project.slug)
  const toggle = useToggleProject(org, project)
  const { scrubbing } = project.settings
  const form = useForm({
    initial: { sensitiveFields: toLines(scrubbing.sensitiveFields), safeFields: toLines(scrubbing.safeFields) },
    validate: (values) => Object.fromEntries(Object.entries(values).map(([name, text]) => [name, checkLines(text)])),
    submit: async ({ sensitiveFields, safeFields }) => {
      await save({
        settings: {
          scrubbing: { sensitiveFields: fromLines(sensitiveFields), safeFields: fromLines(safeFields) },
        },
      })
      toast({ title: 'Scrubbing saved; it holds for what arrives from now on', tone: 'ok' })
    },
  })
  return (
    <>
      <Panel title="Take out">
        <div className={styles.switches}>
          {SWITCHES.map(({ key, label, help }) => (
            <Switch
              key={key}
              label={label}
              help={help}
              disabled={!mayWrite || (key === 'defaults' && !scrubbing.enabled)}
              checked={scrubbing[key]}
              onCheckedChange={(checked) =>
                toggle(
                  { scrubbing: { [key]: checked } },
                  { ...project.settings, scrubbing: { ...scrubbing, [key]: checked } },
                )
              }
            />
          ))}
        </div>
      </Panel>
      <form noValidate onSubmit={form.onSubmit}>
        <Panel
          title="Fields"
          subtitle="one name per line"
          footer={
            mayWrite ? (
              <Button type="submit" variant="primary" busy={form.busy} disabled={!form.dirty}>
                Save
              </Button>
            ) : undefined
          }
        >
          <FieldStack>
            <Field
              label="Also take out"
              help={
                <>
                  Names of fields, like <code>iban</code> or <code>x-customer-code</code>.
                </>
              }
              error={form.errors.sensitiveFields}
            >
              <Textarea
                mono
                disabled={!mayWrite}
                value={form.values.sensitiveFields}
                onValueChange={(value) => form.set('sensitiveFields', value)}
              />
            </Field>
            <Field
              label="Never take out"
              help="Names that the rules would catch though they are harmless."
              error={form.errors.safeFields}
            >
              <Textarea
                mono
                disabled={!mayWrite}
                value={form.values.safeFields}
                onValueChange={(value) => form.set('safeFields', value)}
              />
            </Field>
            {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
          </FieldStack>
        </Panel>
      </form>
    </>
  )
}
