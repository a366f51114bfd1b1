import type { Platform, PlatformDsn } from './platforms.ts'

/** What a coding agent needs to know to put error tracking into a project by itself. */
export function agentPrompt(platform: Platform, dsn: PlatformDsn, project: string): string {
  const steps = platform.steps(dsn).map((step, index) => {
    const text = step.text === undefined ? '' : `\n${step.text}`
    const code = step.code === undefined ? '' : `\n\n\`\`\`\n${step.code}\n\`\`\``
    return `${index + 1}. ${step.title}${step.file === undefined ? '' : ` (${step.file})`}${text}${code}`
  })
  return `Add error tracking to this repository. It reports to "${project}" on a Firsthand server, which speaks the protocol of the Sentry SDKs.

DSN (public, may be committed): ${dsn.dsn}
Platform: ${platform.name}

${steps.join('\n\n')}

Rules:
- Use the official Sentry SDK of the platform and change nothing else. If one is installed already, only replace its DSN.
- Start it before all other code. Take the release from the version of this repository, and the environment from where it runs.
- Do not switch on tracing, replay or anything else that was not asked for.
- Afterwards send one test error and say which file has it, so that it can be removed.
`
}
