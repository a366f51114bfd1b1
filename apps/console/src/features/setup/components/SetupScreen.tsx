import { createSetup, email as emailSchema } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, rememberSession } from '../../../lib/api.ts'
import { checkNewPassword, PASSWORD_HELP } from '../../../lib/password.ts'
import { sessionKey } from '../../../lib/query-keys.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Button, Field, FieldStack, Input, Notice, Select } from '../../../ui/index.ts'
import { AuthPage, PasswordInput } from '../../auth/index.ts'
import { PLATFORMS } from '../../projects/index.ts'
import styles from './SetupScreen.module.css'

/** First start: owner, organisation and first project in one go; then straight to the DSN and the first event. */
export function SetupScreen() {
  const queryClient = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    document.title = 'Set up · Firsthand'
  }, [])
  const form = useForm({
    initial: { name: '', email: '', password: '', organizationName: '', projectName: '', platform: 'javascript' },
    validate: (values) => {
      const password = checkNewPassword(values.password)
      return {
        ...(!emailSchema.safeParse(values.email).success && {
          email: 'Write an e-mail address, like ann@example.com.',
        }),
        ...(password !== undefined && { password }),
        ...(values.organizationName.trim() === '' && { organizationName: 'Name your organisation or team.' }),
        ...(values.projectName.trim() === '' && { projectName: 'Name the application that will report.' }),
      }
    },
    submit: async ({ name, ...body }) => {
      const result = await api.call(createSetup, { body: { ...body, ...(name.trim() !== '' && { name }) } })
      queryClient.clear()
      queryClient.setQueryData(sessionKey, rememberSession(result.session))
      await router.navigate({
        to: '/organizations/$org/projects/$project/getting-started',
        params: { org: result.organization, project: result.project },
      })
    },
  })
  const { values, errors, set } = form
  return (
    <AuthPage
      wide
      title="Set up Firsthand"
      lead="This server is new. Make the owner's account and the first project; everything can be changed later."
    >
      <form noValidate onSubmit={form.onSubmit}>
        <fieldset className={styles.part}>
          <legend className={styles.legend}>You, the owner</legend>
          <div className={styles.pair}>
            <Field label="E-mail" error={errors.email}>
              <Input
                type="email"
                autoComplete="username"
                autoFocus
                value={values.email}
                onValueChange={(value) => set('email', value)}
              />
            </Field>
            <Field label="Name" optional error={errors.name}>
              <Input autoComplete="name" value={values.name} onValueChange={(value) => set('name', value)} />
            </Field>
          </div>
          <Field label="Password" help={PASSWORD_HELP} error={errors.password}>
            <PasswordInput
              autoComplete="new-password"
              value={values.password}
              onValueChange={(value) => set('password', value)}
            />
          </Field>
        </fieldset>
        <fieldset className={styles.part}>
          <legend className={styles.legend}>Your organisation and first project</legend>
          <Field label="Organisation" error={errors.organizationName}>
            <Input
              autoComplete="organization"
              placeholder="Acme Shop"
              value={values.organizationName}
              onValueChange={(value) => set('organizationName', value)}
            />
          </Field>
          <div className={styles.pair}>
            <Field label="Project" error={errors.projectName}>
              <Input
                placeholder="shop-web"
                value={values.projectName}
                onValueChange={(value) => set('projectName', value)}
              />
            </Field>
            <Field label="Platform">
              <Select
                value={values.platform}
                onValueChange={(value) => set('platform', value)}
                options={PLATFORMS.map((platform) => ({ value: platform.id, label: platform.name }))}
              />
            </Field>
          </div>
        </fieldset>
        <FieldStack>
          {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
          <Button type="submit" variant="primary" busy={form.busy} className={styles.submit}>
            Create and continue
          </Button>
        </FieldStack>
      </form>
    </AuthPage>
  )
}
