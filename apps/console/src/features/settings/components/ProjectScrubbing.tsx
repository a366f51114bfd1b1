import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import { LinesField, SettingsForm, SwitchesPanel } from './SettingsForm.tsx'
import { useListsForm } from './use-lists-form.ts'
import { useSaveProject, useToggleProject } from './use-save-project.ts'

const SWITCHES = [
  {
    key: 'enabled',
    label: 'Scrub on this server',
    help: 'Removes sensitive values before anything is stored. What is removed cannot be restored.',
  },
  {
    key: 'defaults',
    label: 'Sentry’s default rules',
    help: 'Passwords, secrets, tokens, credit cards, private keys and social security numbers, by name and by shape.',
  },
  { key: 'ipAddresses', label: 'IP addresses', help: 'Does not store the address of any visitor.' },
] as const

/** What is taken out of events before they are stored. */
export function ProjectScrubbing({ org, project, mayWrite }: ProjectSettingsProps) {
  const save = useSaveProject(org, project.slug)
  const toggle = useToggleProject(org, project)
  const { scrubbing } = project.settings
  const form = useListsForm(
    { sensitiveFields: scrubbing.sensitiveFields, safeFields: scrubbing.safeFields },
    (lists) => save({ settings: { scrubbing: lists } }),
    'Scrubbing saved; it applies to new events',
  )
  return (
    <>
      <SwitchesPanel
        title="Take out"
        switches={SWITCHES}
        values={scrubbing}
        mayChange={(key) => mayWrite && (key !== 'defaults' || scrubbing.enabled)}
        onChange={(key, checked) =>
          toggle(
            { scrubbing: { [key]: checked } },
            { ...project.settings, scrubbing: { ...scrubbing, [key]: checked } },
          )
        }
      />
      <SettingsForm form={form} title="Fields" subtitle="one name per line" mayWrite={mayWrite}>
        <LinesField
          form={form}
          name="sensitiveFields"
          label="Also remove"
          help={
            <>
              Names of fields, like <code>iban</code> or <code>x-customer-code</code>.
            </>
          }
          mayWrite={mayWrite}
        />
        <LinesField
          form={form}
          name="safeFields"
          label="Never remove"
          help="Names that the rules would catch though they are harmless."
          mayWrite={mayWrite}
        />
      </SettingsForm>
    </>
  )
}
