import type { Page } from 'playwright-core'

export const logInPage = (page: Page) => ({
  heading: page.getByRole('heading', { name: 'Log in' }),
  failure: page.getByRole('alert'),
  submit: async (email: string, password: string): Promise<void> => {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
  },
})
