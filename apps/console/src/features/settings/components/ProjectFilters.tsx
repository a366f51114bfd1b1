import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import { LinesField, SettingsForm, SwitchesPanel } from './SettingsForm.tsx'
import { useListsForm } from './use-lists-form.ts'
import { useSaveProject, useToggleProject } from './use-save-project.ts'

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
export function ProjectFilters({ org, project, mayWrite }: ProjectSettingsProps) {
  const save = useSaveProject(org, project.slug)
  const toggle = useToggleProject(org, project)
  const { filters } = project.settings
  const form = useListsForm(
    { errorMessages: filters.errorMessages, releases: filters.releases, ipAddresses: filters.ipAddresses },
    (lists) => save({ settings: { filters: lists } }),
    'Filters saved',
  )
  return (
    <>
      <SwitchesPanel
        title="Leave out"
        switches={SWITCHES}
        values={filters}
        mayChange={() => mayWrite}
        onChange={(key, checked) =>
          toggle({ filters: { [key]: checked } }, { ...project.settings, filters: { ...filters, [key]: checked } })
        }
      />
      <SettingsForm
        form={form}
        title="Filter out by pattern"
        subtitle="one pattern per line, * stands for anything"
        mayWrite={mayWrite}
      >
        <LinesField
          form={form}
          name="errorMessages"
          label="Error messages"
          help={
            <>
              Compared with <code>Type: message</code> and the message alone, like <code>*ResizeObserver loop*</code>.
            </>
          }
          mayWrite={mayWrite}
        />
        <LinesField
          form={form}
          name="releases"
          label="Releases"
          help={
            <>
              Like <code>shop-web@1.*</code>.
            </>
          }
          mayWrite={mayWrite}
        />
        <LinesField
          form={form}
          name="ipAddresses"
          label="IP addresses"
          help={
            <>
              Addresses or ranges, like <code>203.0.113.0/24</code>.
            </>
          }
          mayWrite={mayWrite}
        />
      </SettingsForm>
    </>
  )
}
