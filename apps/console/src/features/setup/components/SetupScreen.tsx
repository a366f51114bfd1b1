import { createSetup, email as emailSchema } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, rememberSession } from '../../../lib/api.ts'
import { checkNewPassword, PASSWORD_HELP } from '../../../lib/password.ts'
import { sessionKey } from '../../../lib/query-keys.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Button, Field, FieldStack, Input, Notice, Select } from '../../../ui/index.ts'
import { AuthPage, PasswordInput } from '../../auth/index.ts'
import { PLATFORMS } from '../../projects/index.ts'
import { storeToken, storedToken, readSetupToken } from '../model/setup-token.ts'
import styles from './SetupScreen.module.css'

const HELP = (
  <>
    The server printed it when it started, in its link to this page. On its machine,{' '}
    <code>npx firsthand setup-link</code> prints it again.
  </>
)

/** The server's own sentence ends with where the token is. */
const saysWhere = (error: string | undefined): boolean => error?.includes('setup-link') ?? false

/** The fields of the set-up, and what happens when they are sent. @param linked the token of the address */
function useSetupForm(linked: string) {
  const queryClient = useQueryClient()
  const router = useRouter()
  return useForm({
    initial: {
      setupToken: linked,
      name: '',
      email: '',
      password: '',
      organizationName: '',
      projectName: '',
      platform: 'javascript',
    },
    validate: (values) => {
      const password = checkNewPassword(values.password)
      return {
        ...(readSetupToken(values.setupToken) === '' && {
          setupToken: 'Paste the link or the token that the server printed when it started.',
        }),
        ...(!emailSchema.safeParse(values.email).success && {
          email: 'Enter an e-mail address, like ann@example.com.',
        }),
        ...(password !== undefined && { password }),
        ...(values.organizationName.trim() === '' && { organizationName: 'Name your organisation or team.' }),
        ...(values.projectName.trim() === '' && { projectName: 'Name the application that will report.' }),
      }
    },
    submit: async ({ name, setupToken, ...body }) => {
      const result = await api.call(createSetup, {
        body: { ...body, setupToken: readSetupToken(setupToken), ...(name.trim() !== '' && { name }) },
      })
      storeToken('')
      queryClient.clear()
      queryClient.setQueryData(sessionKey, rememberSession(result.session))
      await router.navigate({
        to: '/organizations/$org/projects/$project/getting-started',
        params: { org: result.organization, project: result.project },
      })
    },
  })
}

/** First start: owner, organisation and first project in one go; then straight to the DSN and the first event. */
export function SetupScreen() {
  const [linked] = useState(() => readSetupToken(window.location.hash) || storedToken())
  useEffect(() => {
    document.title = 'Set up · Firsthand'
    if (linked !== '') storeToken(linked)
    // Who looks over the shoulder, or gets the address sent, does not get the token.
    if (window.location.hash !== '') window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [linked])
  const form = useSetupForm(linked)
  const { values, errors, set } = form
  const [isAsked, setAsked] = useState(linked === '')
  // A link from another server, or cut short: from now on the token can be corrected.
  if (!isAsked && errors.setupToken !== undefined) setAsked(true)
  return (
    <AuthPage
      wide
      title="Set up Firsthand"
      lead="This server is new. Create the owner's account and the first project; everything can be changed later."
    >
      <form noValidate onSubmit={form.onSubmit}>
        {isAsked && (
          <fieldset className={styles.part}>
            <legend className={styles.legend}>Is this server yours?</legend>
            <Field
              label="Set-up token"
              help={saysWhere(errors.setupToken) ? undefined : HELP}
              error={errors.setupToken}
            >
              <Input
                autoComplete="off"
                spellCheck={false}
                autoFocus={linked === ''}
                value={values.setupToken}
                onValueChange={(value) => set('setupToken', value)}
              />
            </Field>
          </fieldset>
        )}
        <fieldset className={styles.part}>
          <legend className={styles.legend}>You, the owner</legend>
          <div className={styles.pair}>
            <Field label="E-mail" error={errors.email}>
              <Input
                type="email"
                autoComplete="username"
                autoFocus={linked !== ''}
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
