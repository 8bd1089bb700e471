// The words of a handout's page, which the window has not. Test: tests/unit/handout/page_test.cpp

#pragma once

#include "base/text.h"

#include <string_view>

namespace lanescope::handout {

struct Bilingual {
  std::string_view english, french;
  constexpr std::string_view in(Language language) const {
    return language == Language::French ? french : english;
  }
};

namespace words {
inline constexpr Bilingual kStep{"Step through a warp", "Pas à pas dans un warp"};
inline constexpr Bilingual kSource{"Source", "Source"};
inline constexpr Bilingual kPredict{"Predict first", "Prédire d’abord"};
inline constexpr Bilingual kReveal{"Show the answer", "Montrer la réponse"};
inline constexpr Bilingual kShowRun{"Show this run above", "Montrer cette exécution plus haut"};
inline constexpr Bilingual kExercises{"Exercises", "Exercices"};
inline constexpr Bilingual kHint{"Hint", "Indice"};
inline constexpr Bilingual kKernel{"Kernel", "Kernel"};
inline constexpr Bilingual kBlock{"Block, from 0", "Bloc, à partir de 0"};
inline constexpr Bilingual kWarp{"Warp, from 0", "Warp, à partir de 0"};
inline constexpr Bilingual kCompare{"Keep this run as A and compare",
                                    "Garder cette exécution comme A et comparer"};
inline constexpr Bilingual kAccess{"Access of the warp", "Accès du warp"};
inline constexpr Bilingual kFirst{"First access", "Premier accès"};
inline constexpr Bilingual kPrevious{"Previous access", "Accès précédent"};
inline constexpr Bilingual kNext{"Next access", "Accès suivant"};
inline constexpr Bilingual kLast{"Last access", "Dernier accès"};
inline constexpr Bilingual kToggles{"What is run", "Ce qui est exécuté"};
inline constexpr Bilingual kWholeRun{"The whole run", "L’exécution entière"};
inline constexpr Bilingual kNoAccess{"This warp makes no access to memory that was stored.",
                                     "Ce warp ne fait aucun accès à la mémoire qui ait été gardé."};
inline constexpr Bilingual kCorrect{"The output is right.", "Le résultat est juste."};
inline constexpr Bilingual kWrong{"The output is wrong.", "Le résultat est faux."};
inline constexpr Bilingual kFound{"The checks found:", "Les vérifications ont trouvé :"};
inline constexpr Bilingual kHowToUse{
    "Arrow keys, Home and End step through the accesses of a warp; so do the buttons, the slider and a "
    "swipe.",
    "Les flèches, Début et Fin parcourent les accès d’un warp ; les boutons, le curseur et un balayage "
    "aussi."};
inline constexpr Bilingual kStepNote{
    "Counts are those of the PTX, from the address of every lane; the kernel ran in an emulator, not on a "
    "GPU.",
    "Les comptes sont ceux du PTX, à partir de l’adresse de chaque lane ; le kernel a été exécuté par un "
    "émulateur et non sur un "
    "GPU."};
inline constexpr Bilingual kStills{"Still pictures of the warp’s accesses {} to {}, of {}.",
                                   "Images fixes des accès {} à {} du warp, sur {}."};
}  // namespace words

}  // namespace lanescope::handout
