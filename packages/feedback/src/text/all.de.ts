import { pictureTexts } from './picture.de.ts'
import { texts } from './de.ts'
import { topicTexts } from './topic.de.ts'

export const catalogue = { ...texts, ...pictureTexts, ...topicTexts }
