"""The steps between two decisions (section 6.3 of the specification), which the game takes by itself.

Every rule returns what comes next: a phase, when somebody has to decide, or one of these steps. Steps are numbered
after the phases, so that one number tells both.
"""

from __future__ import annotations

from carnival_envs.games.bedeville.phases import PHASES

FIRST = len(PHASES)
(
    BEGIN_TURN,
    VISIT,
    VISIT_GAIN,
    GAIN_NEXT,
    WINDOW,
    ACTION,
    FINISH_ACTION,
    PRE_DRAW,
    DRAW,
    RESOLVE,
    FINISH_TOKEN,
    AFTER_STEP6,
    END_TURN,
    CHARLES_REST,
) = range(FIRST, FIRST + 14)
