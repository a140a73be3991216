/**
 * The OJS HTTP binding on Spring MVC: what is the same for all endpoints.
 */
@NullMarked
package io.ojs.web;

import org.jspecify.annotations.NullMarked;
