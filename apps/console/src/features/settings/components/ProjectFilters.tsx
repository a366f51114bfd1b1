import type { Project } from '@firsthand/contract'
import { useForm } from '../../../lib/use-form.ts'
import { Button, Field, FieldStack, Notice, Panel, Switch, Textarea, toast } from '../../../ui/index.ts'
import { checkLines, fromLines, toLines } from '../model/lines.ts'
import { useSaveProject, useToggleProject } from './use-save-project.ts'
import styles from './settings.module.css'

const SWITCHES = [
  {
    key: 'browserExtensions',
    label: 'Browser extensions',
    help: 'Errors that extensions and injected scripts cause in your pages.',
  },
  { key: 'localhost', label: 'Localhost', help: 'Events from development machines: localhost, 127.0.0.1, ::1.' },
  { key: 'webCrawlers', label: 'Web crawlers', help: 'Pages run by search engines and other robots.' },
  { key: 'legacyBrowsers', label: 'Legacy browsers', help: 'Browsers too old for most of today’s sites.' },
] as const

/** What is left out before it becomes an issue. Each item left out has a receipt that says why. */
export function ProjectFilters({
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
  const { filters } = project.settings
  const form = useForm({
    initial: {
      errorMessages: toLines(filters.errorMessages),
      releases: toLines(filters.releases),
      ipAddresses: toLines(filters.ipAddresses),
    },
    validate: (values) => Object.fromEntries(Object.entries(values).map(([name, text]) => [name, checkLines(text)])),
    submit: async ({ errorMessages, releases, ipAddresses }) => {
      await save({
        settings: {
          filters: {
            errorMessages: fromLines(errorMessages),
            releases: fromLines(releases),
            ipAddresses: fromLines(ipAddresses),
          },
        },
      })
      toast({ title: 'Filters saved', tone: 'ok' })
    },
  })
  return (
    <>
      <Panel title="Leave out">
        <div className={styles.switches}>
          {SWITCHES.map(({ key, label, help }) => (
            <Switch
              key={key}
              label={label}
              help={help}
              disabled={!mayWrite}
              checked={filters[key]}
              onCheckedChange={(checked) =>
                toggle(
                  { filters: { [key]: checked } },
                  { ...project.settings, filters: { ...filters, [key]: checked } },
                )
              }
            />
          ))}
        </div>
      </Panel>
      <form noValidate onSubmit={form.onSubmit}>
        <Panel
          title="Leave out what matches"
          subtitle="one pattern per line, * stands for anything"
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
              label="Error messages"
              help={
                <>
                  Compared with <code>Type: message</code> and the message alone, like{' '}
                  <code>*ResizeObserver loop*</code>.
                </>
              }
              error={form.errors.errorMessages}
            >
              <Textarea
                mono
                disabled={!mayWrite}
                value={form.values.errorMessages}
                onValueChange={(value) => form.set('errorMessages', value)}
              />
            </Field>
            <Field
              label="Releases"
              help={
                <>
                  Like <code>shop-web@1.*</code>.
                </>
              }
              error={form.errors.releases}
            >
              <Textarea
                mono
                disabled={!mayWrite}
                value={form.values.releases}
                onValueChange={(value) => form.set('releases', value)}
              />
            </Field>
            <Field
              label="IP addresses"
              help={
                <>
                  Addresses or ranges, like <code>203.0.113.0/24</code>.
                </>
              }
              error={form.errors.ipAddresses}
            >
              <Textarea
                mono
                disabled={!mayWrite}
                value={form.values.ipAddresses}
                onValueChange={(value) => form.set('ipAddresses', value)}
              />
            </Field>
            {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
          </FieldStack>
        </Panel>
      </form>
    </>
  )
}
