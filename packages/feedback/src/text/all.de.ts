import { pictureTexts } from './picture.de.ts'
import { texts } from './de.ts'

export const catalogue = { ...texts, ...pictureTexts }
