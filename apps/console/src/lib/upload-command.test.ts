import { describe, expect, it } from 'vitest'
import { commitsCommand, deployCommand, uploadCommand } from './upload-command.ts'

const place = { server: 'https://sentry.example', organization: 'acme', release: 'shop@1.2.0' }

describe('commands to type where the build is', () => {
  it('L64: name the server, the organisation and the release, so that they can be typed as they are', () => {
    expect(commitsCommand(place)).toBe(
      'npx @sentry/cli --url https://sentry.example releases set-commits --auto --org acme shop@1.2.0',
    )
    expect(deployCommand(place)).toBe(
      'npx @sentry/cli --url https://sentry.example deploys new --org acme --release shop@1.2.0 --env production',
    )
    expect(
      uploadCommand({ ...place, project: 'web' })
        .split('\n')
        .at(-1),
    ).toBe(
      'npx @sentry/cli --url https://sentry.example sourcemaps upload --org acme --project web --release shop@1.2.0 ./dist',
    )
  })

  it('quote for a shell what is not plain', () => {
    expect(commitsCommand({ ...place, release: "it's 1" })).toContain(String.raw`'it'\''s 1'`)
  })
})
