/** The first line of what somebody wrote of a commit. */
export const subjectOf = (message: string | null): string => message?.trim().split(/\r?\n/, 1)[0] ?? ''

/** Of a commit's hash as much as one reads. */
export const shortHash = (id: string): string => (/^[0-9a-f]{12,64}$/i.test(id) ? id.slice(0, 7) : id)
