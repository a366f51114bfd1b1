import { useForm } from '../../../lib/use-form.ts'
import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import { CodeBlock, Panel, Switch, toast } from '../../../ui/index.ts'
import { LinesField, SettingsForm, useSaveProject, useToggleProject } from '../../settings/index.ts'
import styles from './ProjectGrouping.module.css'

const MAX_CHARACTERS = 20_000
const EXAMPLES = `# one issue for all time-outs of the shop
error.type:TimeoutError module:shop.* -> shop-timeout title="Shop time-outs"

# split database errors by the function that asked
error.type:DatabaseError -> {{ default }}, {{ function }}`

const STACK_EXAMPLES = `# code of the vendor folder is not ours
path:**/vendor/** -app

# do not look at frames above the framework's handler
family:javascript function:handleRequest ^-group`

/** How events become issues. Changes hold for events that arrive from now on. */
export function ProjectGrouping({ org, project, mayWrite }: ProjectSettingsProps) {
  const save = useSaveProject(org, project.slug)
  const toggle = useToggleProject(org, project)
  const { grouping } = project.settings
  const tooLong = (text: string): string | undefined =>
    text.length > MAX_CHARACTERS ? `At most ${MAX_CHARACTERS} characters; these are ${text.length}.` : undefined
  const form = useForm({
    initial: { fingerprintRules: grouping.fingerprintRules, stackTraceRules: grouping.stackTraceRules },
    validate: (values) => Object.fromEntries(Object.entries(values).map(([name, text]) => [name, tooLong(text)])),
    submit: async (rules) => {
      await save({ settings: { grouping: rules } })
      toast({ title: 'Grouping saved; it applies to new events', tone: 'ok' })
    },
  })
  return (
    <>
      <Panel title="Messages">
        <Switch
          label="Also tell errors apart by their message"
          help="Errors from the same place with different messages become different issues. Numbers and ids in the message do not count."
          disabled={!mayWrite}
          checked={grouping.includeMessage}
          onCheckedChange={(includeMessage) =>
            toggle({ grouping: { includeMessage } }, { ...project.settings, grouping: { ...grouping, includeMessage } })
          }
        />
      </Panel>
      <SettingsForm
        form={form}
        title="Rules"
        subtitle="one per line; the first that matches decides"
        mayWrite={mayWrite}
      >
        <LinesField
          form={form}
          name="fingerprintRules"
          label="Fingerprint rules"
          help="Which events belong together, whatever their stack traces say."
          rows={5}
          wide
          mayWrite={mayWrite}
        />
        <CodeBlock title="Examples" code={EXAMPLES} />
        <LinesField
          form={form}
          name="stackTraceRules"
          label="Stack trace rules"
          help="Which frames are your own code, and which count for grouping."
          rows={5}
          wide
          mayWrite={mayWrite}
        />
        <CodeBlock title="Examples" code={STACK_EXAMPLES} />
      </SettingsForm>
      <p className={styles.hint}>
        Each issue says under “Why grouped” which rule or which frames brought its events together.
      </p>
    </>
  )
}
