// The pages of materials: forms that save themselves, the text editor, what asks before it is done.

import { startBeside } from "materials/beside";
import { startForm } from "materials/form";
import { startLessonTools } from "materials/lesson";
import { startLive } from "materials/live";
import { startProblems } from "materials/problems";
import { startState } from "materials/state";
import { startText } from "materials/text";

startBeside();
startForm();
startText();
startLessonTools();
startProblems();
startState();
startLive();
