// SPDX-License-Identifier: Apache-2.0
// Collects what is found about one route and knows where its settings stand. The rules themselves are one
// function per subject.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/policy/finding.hpp"
#include "core/policy/route.hpp"

namespace pawl::policy {

class RouteFindings {
  public:
    // Both outlive it.
    RouteFindings(const Route& route, std::vector<Finding>& findings)
        : route_(route), findings_(findings) {}

    // `field` as in FieldPlace; a setting that the file does not give is placed at the nearest one around it.
    void error(std::string_view field, std::string what, std::string remedy) {
        add(Severity::error, field, std::move(what), std::move(remedy));
    }
    void warn(std::string_view field, std::string what, std::string remedy) {
        add(Severity::warning, field, std::move(what), std::move(remedy));
    }
    const Route& route() const { return route_; }

  private:
    void add(Severity severity, std::string_view field, std::string what, std::string remedy);

    const Route& route_;
    std::vector<Finding>& findings_;
};

void check_key(RouteFindings& found);
void check_caller(RouteFindings& found);
void check_authorize(RouteFindings& found);
void check_fingerprint(RouteFindings& found);
void check_settling(RouteFindings& found);
void check_numbers(RouteFindings& found);
void check_version(RouteFindings& found);
void check_repeats(RouteFindings& found);
void check_offered(RouteFindings& found);  // choices that this build does not have yet

}  // namespace pawl::policy
