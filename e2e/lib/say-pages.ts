import { afterEach } from 'vitest'
import { describeOpenPages } from './open-pages.ts'

// A failure that comes once in a hundred runs has to be understood from its message.
afterEach(async ({ task }) => {
  const error = task.result?.state === 'fail' ? task.result.errors?.[0] : undefined
  if (error === undefined) return
  error.message = [error.message, ...(await describeOpenPages())].join('\n')
})
